/// Detectors of a pair of channels while a run of samples passes by.
///
/// Like ``CascadeStage`` it holds its state in local variables for the length of a run.
protocol DetectorStage {
  /// Takes the state of the detectors of both channels over.
  init(_ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>)

  /// Takes a sample of each channel in.
  mutating func hear(_ left: Float4, _ right: Float4)

  /// The same, and adds up the energy.
  mutating func count(_ left: Float4, _ right: Float4)

  /// Gives the state back.
  func store(
    _ left: UnsafeMutablePointer<DetectorLanes>, _ right: UnsafeMutablePointer<DetectorLanes>)

  /// How many vectors of detectors a channel it has.
  static var depth: Int { get }
}
