/// Counts what was reported about the listener's profile, for sources that know it by themselves: a
/// load that began before may bring what is out of date.
final class ProfileChanges: Sendable {
  private let number = Lock<UInt64>(0)

  /// How many there were.
  var count: UInt64 { number.withLock { $0 } }

  func increase() {
    number.withLock { $0 += 1 }
  }
}
