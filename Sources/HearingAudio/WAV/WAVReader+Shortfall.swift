extension WAVReader {
  /// A file that ends before its header says: what was expected and what is there.
  public struct Shortfall: Sendable, Equatable {
    /// The frames that the header promises.
    public let expectedFrameCount: Int

    /// The whole frames that the file holds.
    public let foundFrameCount: Int
  }
}

extension WAVReader.Shortfall: CustomStringConvertible {
  /// One line that tells the two numbers.
  public var description: String {
    "the file is cut short: \(foundFrameCount) of \(expectedFrameCount) frames"
  }
}
