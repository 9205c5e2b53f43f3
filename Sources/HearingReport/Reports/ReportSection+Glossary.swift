extension ReportSection {
  /// The section that explains the terms of the page in plain English.
  ///
  /// Only terms that occur in `sections` are defined.
  static func glossary(in sections: [ReportSection]) -> ReportSection {
    let text = sections.map { $0.markup(id: "words").written }.joined(separator: " ")
    let terms = definitions.filter { text.contains($0.key) }.map(\.value)
    return ReportSection(title: "What the words mean", blocks: [.terms(terms)])
  }

  /// The terms and their meanings. A term is defined on the page if the text of the page contains
  /// the term's key. The first letter of a term may be in upper or lower case on the page.
  /// Therefore some keys omit the first letter of the term.
  private static let definitions: KeyValuePairs<String, ReportBlock.Term> = [
    "Hz": (
      "Frequency (Hz, kHz)",
      "The pitch of a tone: 125 Hz is a low hum, 1000 Hz (1 kHz) a whistle, 8000 Hz a hiss. "
        + "Vowels have low and middle frequencies; s, f and t have high ones."
    ),
    "hreshold": (
      "Threshold", "The softest tone that a person can hear at a frequency."
    ),
    "dB HL": (
      "dB HL (hearing level)",
      "A threshold compared with that of young people with normal hearing. 0 is normal; a "
        + "higher number is a greater loss."
    ),
    "dB SPL": (
      "dB SPL (sound pressure level)",
      "The level of a sound in the air: about 30 in a quiet room, 65 in conversation, 90 "
        + "next to someone who shouts."
    ),
    "masked": (
      "Masked", "Measured while the other ear heard a noise, so that it could not help."
    ),
    "no response": (
      "No response", "The loudest tone of the test was not heard."
    ),
    ", limited": (
      "Limited",
      "The test or the file could not show a value beyond this one. The true threshold may lie "
        + "beyond it."
    ),
    "average at": (
      "Average (pure-tone average)",
      "The mean of the thresholds at 0.5, 1, 2 and 4 kHz, the most important frequencies "
        + "for speech."
    ),
    "nsertion gain": (
      "Insertion gain", "The level with processing minus the level without it, in dB."
    ),
    "aximum output": (
      "Maximum output", "The highest level of the output, however loud the input is."
    ),
    "ompression": (
      "Compression", "Soft sounds get more gain than loud ones."
    ),
    "Rule": (
      "Rule (prescription)",
      "An equation that calculates gain from an audiogram. The result is a starting point, "
        + "which a listener or a professional refines."
    ),
    "xpansion": (
      "Expansion",
      "Very soft sounds get less gain than soft speech, so that quiet surroundings stay quiet."
    ),
    "Speech Intelligibility Index": (
      "Speech Intelligibility Index",
      "The fraction of speech that is audible, weighted by the importance of each frequency."
    ),
  ]
}
