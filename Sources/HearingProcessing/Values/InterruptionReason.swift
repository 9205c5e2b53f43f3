public import Foundation

/// A reason to interrupt processing: a name or a UUID. To resolve an interruption, pass an equal
/// reason to `resolve(interruption:)`.
///
///     session.interrupt(reason: "measurement")
public struct InterruptionReason: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  private let name: String
  private let id: UUID?
  /// A unique identifier of one call of `withInterruption`. The identifier makes the reason of the
  /// call different from every other reason.
  private var scope: UUID?

  /// Creates a reason with a name.
  public init(_ name: some StringProtocol) {
    self.name = String(name)
    id = nil
  }

  /// Creates a reason with a UUID.
  public init(_ id: UUID) {
    name = id.uuidString
    self.id = id
  }

  /// Creates a reason with a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name, or the UUID as a string.
  public var description: String { name }

  /// A new reason with the name of this reason. The new reason is not equal to any other reason.
  var scoped: InterruptionReason {
    var reason = self
    reason.scope = UUID()
    return reason
  }
}
