import HearingFitting

/// The tone that a procedure requests next.
struct ToneRequest: Sendable, Hashable {
  let ear: Ear
  /// The index of the frequency in the list of the test's frequencies.
  let index: Int
  /// The level in whole dB HL.
  let level: Int
}

/// An answer to a tone. A procedure uses the answer to update the estimated thresholds.
struct ToneAnswer: Sendable, Hashable {
  let ear: Ear
  let index: Int
  let level: Int
  let isHeard: Bool
  let isMasked: Bool
}

/// A threshold that was measured twice.
struct MeasuredTwice: Sendable, Hashable {
  let ear: Ear
  let index: Int
  let first: Double
  let second: Double
  /// The standard deviation in dB of the difference `second - first`, for a listener who answers
  /// according to the response model.
  let expectedSpread: Double
}
