/// The part of a piece that can be played over and over: from the start up to, but without, the end.
///
///     let loop = try LoopMarkers(start: 0, end: 8_000_000)     // the first eight seconds
public struct LoopMarkers: Sendable, Hashable {
  /// Microseconds from the beginning of the piece, 0 or more.
  public let start: Int64

  /// Microseconds from the beginning of the piece, later than ``start``.
  public let end: Int64

  /// Loop markers, checked; that they lie inside a piece is checked by ``PieceMetadata``.
  ///
  /// - Throws: ``Invalid`` with the microseconds that cannot be.
  public init(start: Int64, end: Int64) throws(Invalid) {
    guard start >= 0 else { throw .negativeStart(start) }
    guard start < end else { throw .startNotBeforeEnd(start: start, end: end) }
    self.start = start
    self.end = end
  }

  /// Why two places are no loop markers.
  public enum Invalid: Error, Sendable, Equatable {
    /// The loop would start before the piece.
    case negativeStart(Int64)
    /// The loop would have no length, or less.
    case startNotBeforeEnd(start: Int64, end: Int64)
  }
}

extension LoopMarkers.Invalid: CustomStringConvertible {
  /// One line that names the place.
  public var description: String {
    switch self {
    case .negativeStart(let start): "a start of \(start) µs lies before the piece"
    case .startNotBeforeEnd(let start, let end):
      "a start of \(start) µs is not before the end, \(end) µs"
    }
  }
}
