// HearingDSP
