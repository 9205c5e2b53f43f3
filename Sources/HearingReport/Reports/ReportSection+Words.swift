extension ReportSection {
  /// The terms of the page in plain language.
  static var words: ReportSection {
    ReportSection(
      title: "What the words mean",
      blocks: [
        .terms([
          "Frequency (Hz, kHz)":
            "How high a tone is. 125 Hz is a low hum, 1000 Hz (1 kHz) a whistle, 8000 Hz a hiss. "
            + "Vowels live at low and middle frequencies; s, f and t at high ones.",
          "Threshold":
            "The softest tone of a frequency that a person just hears.",
          "dB HL (hearing level)":
            "How much louder than for young people with normal hearing a tone has to be. 0 is "
            + "normal; the higher the number, the greater the loss.",
          "dB SPL (sound pressure level)":
            "How strong a sound is in the air, whoever listens: a quiet room has about 30, "
            + "conversation 65, a shout close by 90.",
          "Masked":
            "Measured while a noise kept the other ear from helping.",
          "No response":
            "Nothing was heard up to the loudest tone that was tried.",
          "Limited":
            "The value read lay beyond −10 to 120 dB HL and was set to the nearest end.",
          "Average (pure-tone average)":
            "The mean of the thresholds at 0.5, 1, 2 and 4 kHz, which matter most for speech.",
          "Insertion gain":
            "By how many dB a sound is stronger with the processing than without.",
          "Maximum output":
            "A ceiling that the sound never passes, however loud the input.",
          "Compression":
            "Soft sounds get more gain than loud ones.",
          "Rule (prescription)":
            "A published equation that says how much gain suits which audiogram. It gives a "
            + "starting point, which a listener or a professional refines.",
        ])
      ])
  }
}
