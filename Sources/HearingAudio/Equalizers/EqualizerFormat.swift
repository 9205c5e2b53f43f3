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
  /// AutoEq. Any other name that ends in `.txt` selects Equalizer APO. Upper and lower case are not
  /// distinguished. For all other names, the result is nil.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix("parametriceq.txt") {
      self = .parametricEQ
    } else if name.hasSuffix("graphiceq.txt") {
      self = .graphicEQ
    } else if name.hasSuffix(".txt") {
      self = .equalizerAPO
    } else if name.hasSuffix(".yml") || name.hasSuffix(".yaml") {
      self = .camillaDSP
    } else if name.hasSuffix(".json") {
      self = .easyEffects
    } else {
      return nil
    }
  }

  /// Whether the format has a separate curve for each ear.
  public var hasCurveForEachEar: Bool {
    switch self {
    case .parametricEQ, .graphicEQ: false
    case .equalizerAPO, .camillaDSP, .easyEffects: true
    }
  }
}
