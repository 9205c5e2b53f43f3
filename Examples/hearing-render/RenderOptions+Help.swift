import HearingFitting

extension RenderOptions {
  /// What `--help` prints.
  static var help: String {
    """
    Renders sound for a listener's ears.

      hearing-render                          the embedded recording, audiogram N3
                                              → hearing-render-output.wav in the current folder
      hearing-render IN.wav OUT.wav [options]

    Mono is heard by both ears; of stereo, left is left.

      --audiogram A            \(Audiogram.standards.map(\.name).joined(separator: " ")) or a file; default: N3
      --rule RULE              \(rules); default: the tech level's own
      --tech-level 1|2|3       1: one gain for each ear, 2: a gain for each band (nal-rp), 3: gains
                               by band and level (camfit-compressive, default)
      --preset FILE.json       a preset, in place of audiogram and rule
      --intensity 0…1          the share of each gain in dB that is applied; default: 1
      --bypass                 leave the sound as it is: no gain, no ceiling
      --input-spl DB           what the recording's active level stands for; default: 65 dB SPL
      --full-scale-spl DB      what an RMS of 1.0 stands for instead
      --max-output-spl DB      the ceiling; default: 105 dB SPL
      --output-format F        float32 (default), int16 or int24
      --trace FILE.csv         input level and gain in every band, every 10 ms of sound
      --report REPORT.html     a page on the fitting and on what it did to the sound
      --block FRAMES           frames rendered at a time, 1 to 65536; default: 512
      --quiet                  print nothing
      --help                   print this

    Integer output is attenuated, by an amount that is told, so that amplification never clips.
    Exit codes: 64 wrong use, 65 wrong data, 66 no input, 73 and 74 output cannot be written.

    """
  }

  /// The names of all rules, in lines as wide as the help.
  private static var rules: String {
    let names = PrescriptionRule.all.map(\.name)
    let indent = "\n" + String(repeating: " ", count: 27)
    return [names.prefix(5), names.dropFirst(5)].map { $0.joined(separator: " ") }
      .joined(separator: indent)
  }
}
