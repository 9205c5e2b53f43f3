import HearingFitting

extension FitOptions {
  /// What `--help` prints.
  static var help: String {
    """
    Fits a listener's hearing: from an audiogram to the gains of a preset.

      hearing-fit AUDIOGRAM [options]

    AUDIOGRAM           \(standards), the same for both ears,
                        or a file: Apple Health export.xml, HL7 FHIR, CSV, hearing-profile JSON
      --rule RULE       \(rules)
      --tech-level N    what the processing can do: 1 one gain per ear, 2 a gain per frequency,
                        3 gains per frequency and level (default); each has a rule of its own
      --out PRESET.json      write the preset
      --report REPORT.html   write a page that explains the fitting to the listener
      --date YYYY-MM-DD      which of a file's audiograms, by day; default: the newest
      --ear-age AGE --sex male|female
                        estimate ears that were not measured from age, 18 to 80 (ISO 7029)
      --format text|json     text: a table of the preset's gains (default);
                        json: the rule's own gains, before a preset's limits and expansion
      --help            print this

    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written.

    """
  }

  private static var standards: String {
    Audiogram.standards.map(\.name).joined(separator: " ")
  }

  /// The names of all rules, in lines as wide as the help.
  private static var rules: String {
    let names = PrescriptionRule.all.map(\.name)
    let indent = "\n" + String(repeating: " ", count: 20)
    return [names.prefix(5), names.dropFirst(5)].map { $0.joined(separator: " ") }
      .joined(separator: indent)
  }
}
