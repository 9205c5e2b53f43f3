/// How many beats a bar has, and which note a beat is.
///
///     let waltz = try TimeSignature(upper: 3, lower: 4)
public struct TimeSignature: Sendable, Hashable {
  /// Beats a bar, 1…16.
  public let upper: Int

  /// The note that is a beat, as part of a whole note: 2, 4, 8 or 16.
  public let lower: Int

  /// The numbers that ``upper`` can be.
  public static let uppers = 1...16

  /// The numbers that ``lower`` can be.
  public static let lowers = [2, 4, 8, 16]

  /// A time signature, checked.
  ///
  /// - Throws: ``Invalid`` with the number that cannot be.
  public init(upper: Int, lower: Int) throws(Invalid) {
    guard Self.uppers.contains(upper) else { throw .upperOutOfRange(upper) }
    guard Self.lowers.contains(lower) else { throw .unknownLower(lower) }
    self.upper = upper
    self.lower = lower
  }

  /// Why two numbers are no time signature.
  public enum Invalid: Error, Sendable, Equatable {
    /// The upper number is outside 1…16.
    case upperOutOfRange(Int)
    /// The lower number is none of 2, 4, 8 and 16.
    case unknownLower(Int)
  }
}

extension TimeSignature: CustomStringConvertible {
  /// As it is written: "6/8".
  public var description: String { "\(upper)/\(lower)" }
}

extension TimeSignature.Invalid: CustomStringConvertible {
  /// One line that names the number.
  public var description: String {
    switch self {
    case .upperOutOfRange(let upper): "an upper number of \(upper) is outside 1 to 16"
    case .unknownLower(let lower): "a lower number of \(lower) is none of 2, 4, 8 and 16"
    }
  }
}
