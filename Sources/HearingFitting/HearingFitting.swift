// HearingFitting
