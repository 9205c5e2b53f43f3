@_exported public import HearingFitting
