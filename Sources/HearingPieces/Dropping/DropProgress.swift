/// How far a drop has come.
public struct DropProgress: Sendable, Equatable {
  /// What is being asked for, copied and checked; nil: the whole is put into its place.
  public let part: PiecePart?

  /// The share that is done, 0…1, each part counting the same; 1 when the piece is in the library.
  public let fraction: Double
}
