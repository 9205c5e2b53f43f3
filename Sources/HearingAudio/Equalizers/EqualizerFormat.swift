/// A file format for the settings of an equaliser.
public enum EqualizerFormat: String, Sendable, CaseIterable {
  /// The AutoEq file `ParametricEQ.txt`, with one curve for both ears.
  case parametricEQ
  /// The AutoEq file `GraphicEQ.txt`, with one curve for both ears.
  case graphicEQ
  /// The file `config.txt` of Equalizer APO.
  case equalizerAPO
  /// A configuration of CamillaDSP 3. CamillaDSP reads the audio from standard input, and writes
  /// the audio to standard output.
  case camillaDSP
  /// An output preset of EasyEffects, versions 6 and 7.
  case easyEffects

  /// Selects the format for a file name. A file name that ends in `.yml` or `.yaml` selects
  /// CamillaDSP. A file name that ends in `.json` selects EasyEffects. A file name that ends in
  /// `ParametricEQ.txt` or `GraphicEQ.txt` selects the AutoEq format. Any other file name that ends
  /// in `.txt` selects Equalizer APO. Upper-case and lower-case letters are equivalent. For a file
  /// name with another ending, the result is nil.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    // Endings of file names, and the format for each ending. The first ending that matches the file
    // name determines the format.
    let endings: KeyValuePairs<String, EqualizerFormat> = [
      "parametriceq.txt": .parametricEQ, "graphiceq.txt": .graphicEQ, ".txt": .equalizerAPO,
      ".yml": .camillaDSP, ".yaml": .camillaDSP, ".json": .easyEffects,
    ]
    guard let format = endings.first(where: { name.hasSuffix($0.key) })?.value else { return nil }
    self = format
  }

  /// Whether the format has a separate curve for each ear.
  public var hasCurveForEachEar: Bool { self != .parametricEQ && self != .graphicEQ }
}
