internal import Foundation

/// The values of all parameters of a session.
///
///     let values = session.values
///     print(values.isEnabled, values.intensity, values.preset?.left ?? "no preset")
public struct SessionValues: Equatable, Sendable {
  /// Whether sound is processed.
  public var isEnabled: Bool
  /// The share of the preset's gain that is applied: 0 (none) to 1 (all of it).
  public var intensity: Float
  /// The listener's preset; nil if there is no personal preset.
  public var preset: Preset?

  /// Creates values; the defaults are those of a new session.
  public init(isEnabled: Bool = false, intensity: Float = 1, preset: Preset? = nil) {
    self.isEnabled = isEnabled
    self.intensity = intensity
    self.preset = preset
  }

  /// Whether a session accepts this intensity: finite, 0…1.
  static func isValid(intensity: Float) -> Bool {
    intensity.isFinite && (0...1).contains(intensity)
  }

  /// Every parameter of a session, in the order in which values are applied.
  static let parameters: [any SessionParameter] = [
    SessionField(
      "preset", \.preset, of: { $0.preset },
      recommend: { session, recommendation in
        guard recommendation.reloadsPreset else { return }
        _ = try await session.preset.reloadAsRecommended().get()
      }),
    SessionField(
      "intensity", \.intensity, of: { $0.intensity },
      isValid: isValid(intensity:),
      recommend: { session, recommendation in
        guard let value = recommendation.intensity else { return }
        _ = try await session.intensity.sequencer.apply(value, isRecommended: true).get()
      }),
    SessionField(
      "isEnabled", \.isEnabled, of: { $0.isEnabled },
      recommend: { session, recommendation in
        guard let value = recommendation.isEnabled else { return }
        _ = try await session.adopt(isEnabled: value).get()
      }),
  ]
}

/// One parameter of a session, without the type of its values.
protocol SessionParameter: Sendable {
  /// Copies the parameter's current value.
  func read(_ session: ProcessingSession, into values: inout SessionValues)

  /// Calls `changed` for each new value.
  func observe(_ session: ProcessingSession, _ changed: @escaping @Sendable () -> Void)
    -> ObservationToken

  /// Closes the parameter; call the returned closure outside all locks to publish the failures.
  func closing(_ session: ProcessingSession) -> @Sendable () -> Void

  /// Counts the values that were applied other than by a report.
  func choices(_ session: ProcessingSession) -> UInt64

  /// Applies the recommended value, if there is one.
  func follow(_ recommendation: ParameterRecommendation, in session: ProcessingSession)
    async throws

  func decode(from container: SessionContainer, into values: inout SessionValues) throws
  func encode(_ values: SessionValues, to container: inout SessionEncodingContainer) throws
}

typealias SessionContainer = KeyedDecodingContainer<SessionKey>
typealias SessionEncodingContainer = KeyedEncodingContainer<SessionKey>

/// The name of a parameter in stored JSON.
struct SessionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    nil
  }
}

/// Locates the value of one parameter in `SessionValues`, in a session, in a recommendation and in
/// stored JSON.
private struct SessionField<Value: Codable & Equatable & Sendable>: SessionParameter {
  private let key: SessionKey
  private let path: any WritableKeyPath<SessionValues, Value> & Sendable
  private let parameter: @Sendable (ProcessingSession) -> ProcessingParameter<Value>
  private let isValid: (@Sendable (Value) -> Bool)?
  private let recommend: @Sendable (ProcessingSession, ParameterRecommendation) async throws -> Void

  /// - Parameter recommend: Applies the recommended value, if there is one.
  init(
    _ name: String, _ path: any WritableKeyPath<SessionValues, Value> & Sendable,
    of parameter: @escaping @Sendable (ProcessingSession) -> ProcessingParameter<Value>,
    isValid: (@Sendable (Value) -> Bool)? = nil,
    recommend:
      @escaping @Sendable (ProcessingSession, ParameterRecommendation) async throws -> Void
  ) {
    key = SessionKey(stringValue: name)
    self.path = path
    self.parameter = parameter
    self.isValid = isValid
    self.recommend = recommend
  }

  func read(_ session: ProcessingSession, into values: inout SessionValues) {
    values[keyPath: path] = parameter(session).$value.value
  }

  func observe(
    _ session: ProcessingSession, _ changed: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    parameter(session).sequencer.values.sinkToLater { _ in changed() }
  }

  func choices(_ session: ProcessingSession) -> UInt64 {
    parameter(session).sequencer.choices
  }

  func closing(_ session: ProcessingSession) -> @Sendable () -> Void {
    parameter(session).sequencer.closing()
  }

  func follow(
    _ recommendation: ParameterRecommendation, in session: ProcessingSession
  ) async throws {
    try await recommend(session, recommendation)
  }

  /// Accepts a missing key if the value can be nil.
  func decode(from container: SessionContainer, into values: inout SessionValues) throws {
    if !container.contains(key), isNil(values[keyPath: path]) { return }
    let value = try container.decode(Value.self, forKey: key)
    guard isValid?(value) != false else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "its \(key.stringValue) is \(value)")
    }
    values[keyPath: path] = value
  }

  func encode(_ values: SessionValues, to container: inout SessionEncodingContainer) throws {
    let value = values[keyPath: path]
    if !isNil(value) { try container.encode(value, forKey: key) }
  }

  private func isNil(_ value: Value) -> Bool {
    if case Optional<Any>.none = value as Any? { true } else { false }
  }
}
