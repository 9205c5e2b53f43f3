/// A file format for the settings of an equaliser.
public enum EqualizerFormat: String, Sendable, CaseIterable {
  /// The file `ParametricEQ.txt` of AutoEq, which has one curve for both ears.
  case parametricEQ
  /// The file `GraphicEQ.txt` of AutoEq, which has one curve for both ears.
  case graphicEQ
  /// The file `config.txt` of Equalizer APO.
  case equalizerAPO
  /// A configuration of CamillaDSP version 3 that reads standard input and writes standard output.
  case camillaDSP
  /// An output preset of EasyEffects, versions 6 and 7.
  case easyEffects

  /// Selects the format for a file name. Names that end in `.yml` or `.yaml` select CamillaDSP, and
  /// `.json` selects EasyEffects. `ParametricEQ.txt` and `GraphicEQ.txt` select the formats of
  /// AutoEq. Any other name that ends in `.txt` selects Equalizer APO. Upper-case and lower-case
  /// letters are equivalent. For all other names, the result is nil.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    // The formats and the endings of their file names. The first matching ending determines the
    // format.
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
