// HearingAudio
