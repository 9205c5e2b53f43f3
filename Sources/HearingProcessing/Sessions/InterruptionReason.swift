public import Foundation

/// A reason to interrupt processing: a name or a UUID. Pass an equal value to resolve it.
///
///     session.interrupt(reason: "measurement")
public struct InterruptionReason: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  private let name: String
  private let id: UUID?
  /// Distinguishes the reason of one `withInterruption` from every equal one.
  private var scope: UUID?

  /// A reason with a name.
  public init(_ name: some StringProtocol) {
    self.name = String(name)
    id = nil
  }

  /// A reason with a UUID.
  public init(_ id: UUID) {
    name = id.uuidString
    self.id = id
  }

  /// A reason with a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name, or the UUID as a string.
  public var description: String { name }

  /// This reason, distinct from every other.
  var scoped: InterruptionReason {
    var reason = self
    reason.scope = UUID()
    return reason
  }
}
