internal import Foundation

/// One parameter of a session, without the type of its values.
protocol SessionParameter: Sendable {
  /// The parameter's seat in its session's update line.
  func seat(_ parameters: SessionParameters) -> SessionSeat

  /// Calls `changed` for each new value.
  func observe(_ session: ProcessingSession, _ changed: @escaping @Sendable () -> Void)
    -> ObservationToken

  /// Closes the parameter.
  ///
  /// - Returns: A closure that publishes the failures; call it outside all locks.
  func closing(_ session: ProcessingSession) -> @Sendable () -> Void

  /// The number of accepted values that do not come from a recommendation.
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

/// Finds the values of one parameter in `SessionValues`, in a session, in a recommendation and in
/// stored JSON.
struct SessionField<Value: Codable & Equatable & Sendable>: SessionParameter {
  private let key: SessionKey
  private let get: @Sendable (SessionValues) -> Value
  private let set: @Sendable (inout SessionValues, Value) -> Void
  private let sequencer: @Sendable (SessionParameters) -> ParameterSequencer<Value>
  private let makeSeat: @Sendable (SessionParameters) -> SessionSeat
  private let isValid: (@Sendable (Value) -> Bool)?
  private let isLeftOut: @Sendable (Value) -> Bool
  private let recommend: @Sendable (ProcessingSession, ParameterRecommendation) async throws -> Void

  /// - Parameters:
  ///   - isValid: Whether a stored value is accepted; nil: every value is.
  ///   - isLeftOut: Whether a value is left out of the stored JSON. If the default value is left
  ///     out, its key may be missing; a parameter that older versions did not have needs that.
  ///   - appliesFirst: Whether an update applies this value before those of other parameters.
  ///   - recommend: Applies the recommended value, if there is one.
  @inline(__always)
  init(
    _ name: String, get: @escaping @Sendable (SessionValues) -> Value,
    set: @escaping @Sendable (inout SessionValues, Value) -> Void,
    of sequencer: @escaping @Sendable (SessionParameters) -> ParameterSequencer<Value>,
    isValid: (@Sendable (Value) -> Bool)? = nil,
    isLeftOut: @escaping @Sendable (Value) -> Bool = { _ in false },
    appliesFirst: @escaping @Sendable (Value) -> Bool = { _ in false },
    recommend:
      @escaping @Sendable (ProcessingSession, ParameterRecommendation) async throws -> Void
  ) {
    key = SessionKey(stringValue: name)
    self.get = get
    self.set = set
    self.sequencer = sequencer
    makeSeat = { SessionSeat(sequencer($0), get: get, set: set, appliesFirst: appliesFirst) }
    self.isValid = isValid
    self.isLeftOut = isLeftOut
    self.recommend = recommend
  }

  func seat(_ parameters: SessionParameters) -> SessionSeat {
    makeSeat(parameters)
  }

  func observe(
    _ session: ProcessingSession, _ changed: @escaping @Sendable () -> Void
  ) -> ObservationToken {
    sequencer(session.parameters).values.sinkToNextValues { _ in changed() }
  }

  func choices(_ session: ProcessingSession) -> UInt64 {
    sequencer(session.parameters).choices
  }

  func closing(_ session: ProcessingSession) -> @Sendable () -> Void {
    sequencer(session.parameters).closing()
  }

  func follow(
    _ recommendation: ParameterRecommendation, in session: ProcessingSession
  ) async throws {
    try await recommend(session, recommendation)
  }

  func decode(from container: SessionContainer, into values: inout SessionValues) throws {
    if !container.contains(key), isLeftOut(get(values)) { return }
    let value = try container.decode(Value.self, forKey: key)
    guard isValid?(value) != false else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "its \(key.stringValue) is \(value)")
    }
    set(&values, value)
  }

  func encode(_ values: SessionValues, to container: inout SessionEncodingContainer) throws {
    let value = get(values)
    if !isLeftOut(value) { try container.encode(value, forKey: key) }
  }
}
