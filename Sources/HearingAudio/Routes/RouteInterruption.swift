/// Why a session is interrupted by a route: the interruption's reason.
///
///     session.interruptions.contains(RouteInterruption.hearingDevice)
public struct RouteInterruption: Sendable, Hashable {
  /// The kind of route that holds processing off.
  public let kind: AudioRoute.Kind

  /// The listener's hearing device applies a fitting of its own; nothing is to be amplified twice.
  public static let hearingDevice = Self(kind: .hearingDevice)
}
