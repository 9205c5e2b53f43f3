extension ChatOptions {
  /// What `--help` prints.
  static var help: String {
    """
    Plays a voice call from files to files: what is heard here, and what is sent there.

      voice-chat --mic MIC.wav --far FAR.wav --other OTHER.wav --playback OUT.wav --uplink UP.wav
          [--ducking default|min|mid|max] [--advanced] [--mute START:END]… [--events EVENTS.jsonl]

    Playback is the far voice plus the other audio, lowered. The uplink is the microphone without
    the echo of that playback, or digital silence while it is muted. All inputs have the same
    sample rate, 8000 to 48000 Hz; where one ends before the others, silence follows.

      --mic MIC.wav            what the microphone hears; of several channels the first
      --far FAR.wav            the voice from the other end, mono or stereo
      --other OTHER.wav        what else plays, mono or stereo
      --playback OUT.wav       what is heard here: stereo, float32
      --uplink UP.wav          what is sent there: mono, float32
      --ducking LEVEL          default (10 dB), min (3 dB), mid (14 dB) or max (20 dB)
      --advanced               duck by a quarter of that while nobody talks, at either end
      --mute START:END         mute from second START to second END; may stand several times
      --events EVENTS.jsonl    what happened, a line of JSON each: talk into the mute, voices at
                               either end, gains in dB that ducking sets off for
      --help                   print this

    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written.

    """
  }
}
