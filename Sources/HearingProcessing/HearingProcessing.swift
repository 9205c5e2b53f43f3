// HearingProcessing
