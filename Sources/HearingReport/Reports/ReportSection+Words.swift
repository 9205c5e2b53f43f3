extension ReportSection {
  /// The terms of the page in plain English.
  static var words: ReportSection {
    ReportSection(
      title: "What the words mean",
      blocks: [
        .terms([
          "Frequency (Hz, kHz)":
            "The pitch of a tone: 125 Hz is a low hum, 1000 Hz (1 kHz) a whistle, 8000 Hz a hiss. "
            + "Vowels have low and middle frequencies; s, f and t have high ones.",
          "Threshold":
            "The softest tone that a person can hear at a frequency.",
          "dB HL (hearing level)":
            "A threshold compared with that of young people with normal hearing. 0 is normal; a "
            + "higher number is a greater loss.",
          "dB SPL (sound pressure level)":
            "The level of a sound in the air: about 30 in a quiet room, 65 in conversation, 90 "
            + "next to someone who shouts.",
          "Masked":
            "Measured while the other ear heard a noise, so that it could not help.",
          "No response":
            "The loudest tone of the test was not heard.",
          "Limited":
            "The value in the file was outside −10 to 120 dB HL and was changed to the nearest "
            + "value of this range.",
          "Average (pure-tone average)":
            "The mean of the thresholds at 0.5, 1, 2 and 4 kHz, the most important frequencies "
            + "for speech.",
          "Insertion gain":
            "The level with processing minus the level without it, in dB.",
          "Maximum output":
            "The highest level of the output, however loud the input is.",
          "Compression":
            "Soft sounds get more gain than loud ones.",
          "Rule (prescription)":
            "An equation that calculates gain from an audiogram. The result is a starting point, "
            + "which a listener or a professional refines.",
        ])
      ])
  }
}
