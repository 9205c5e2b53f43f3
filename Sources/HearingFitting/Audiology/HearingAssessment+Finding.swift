extension HearingAssessment {
  /// Something that an audiologist would not pass over.
  public enum Finding: Sendable, Equatable {
    /// The thresholds were not measured but estimated.
    case estimated
    /// Nothing is known of an ear.
    case unknownEar(Ear)
    /// An ear was not measured at some of ``Audiogram/averagedFrequencies``, in Hz.
    case missingFrequencies(Ear, frequencies: [Double])
    /// At a frequency in Hz the ears differ by ``HearingAssessment/asymmetryLimit`` dB or more.
    case asymmetry(frequency: Double, difference: Double, poorerEar: Ear)
  }
}

extension HearingAssessment.Finding: CustomStringConvertible {
  /// One line in plain English.
  public var description: String {
    switch self {
    case .estimated:
      "the thresholds were estimated from age and sex, not measured"
    case .unknownEar(let ear):
      "the \(ear.rawValue) ear was not measured"
    case .missingFrequencies(let ear, let frequencies):
      "the \(ear.rawValue) ear was not measured at "
        + "\(frequencies.map(\.plain).joined(separator: ", ")) Hz"
    case .asymmetry(let frequency, let difference, let poorerEar):
      "at \(frequency.plain) Hz the \(poorerEar.rawValue) ear is \(difference.plain) dB poorer "
        + "than the other"
    }
  }
}
