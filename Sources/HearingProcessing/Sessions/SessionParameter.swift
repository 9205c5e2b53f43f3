internal import Foundation

/// One parameter of a session. `SessionParameter` does not depend on the type of the parameter's
/// value.
protocol SessionParameter: Sendable {
  /// Writes the parameter's last requested value into `values`. The caller holds the kernel's lock.
  func readRequested(
    _ lanes: SessionLanes, _ machine: TransactionMachine, into values: inout SessionValues)

  /// Adds a `ValuePart` for this parameter to `parts` if an update has assigned the parameter.
  /// `assigned` is a bit mask with one bit for each parameter. A bit is 1 if the update has
  /// assigned the parameter.
  func addPart(
    to parts: inout [ValuePart], _ assigned: UInt64, _ values: SessionValues,
    _ lanes: SessionLanes
  ) throws(ParameterError)

  /// The state of the parameter in the `TransactionMachine`.
  func state(_ lanes: SessionLanes) -> TransactionMachine.LaneState

  /// Applies the value that the recommendation contains for this parameter, if any.
  func follow(_ recommendation: ParameterRecommendation, _ lanes: SessionLanes) async throws

  func decode(from container: SessionContainer, into values: inout SessionValues) throws
  func encode(_ values: SessionValues, to container: inout SessionEncodingContainer) throws
}

typealias SessionContainer = KeyedDecodingContainer<SessionKey>
typealias SessionEncodingContainer = KeyedEncodingContainer<SessionKey>

/// A key in the stored JSON, for example the name of a parameter.
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

/// Reads and writes the value of one parameter in `SessionValues`, in a session, in a
/// recommendation and in stored JSON.
struct SessionField<Value: Codable & Equatable & Sendable>: SessionParameter {
  private let key: SessionKey
  private let get: @Sendable (SessionValues) -> Value
  private let set: @Sendable (inout SessionValues, Value) -> Void
  private let access: @Sendable (SessionLanes) -> LaneAccess<Value>
  private let isOmitted: @Sendable (Value) -> Bool
  private let appliesFirst: @Sendable (Value) -> Bool
  private let isValid: (@Sendable (Value) -> Bool)?
  private let recommend: @Sendable (SessionLanes, ParameterRecommendation) async throws -> Void

  /// - Parameters:
  ///   - isValid: Whether a stored value is accepted. If `isValid` is nil, every value is accepted.
  ///   - isOmitted: Whether a value is omitted from the stored JSON. JSON from older versions of
  ///     this package does not contain the key of a new parameter. To keep JSON from older versions
  ///     readable, a new parameter must omit its default value.
  ///   - appliesFirst: Whether an update of several parameters applies this value before the other
  ///     values.
  ///   - recommend: Applies the value that the recommendation contains for this parameter, if any.
  init(
    _ name: String, get: @escaping @Sendable (SessionValues) -> Value,
    set: @escaping @Sendable (inout SessionValues, Value) -> Void,
    of access: @escaping @Sendable (SessionLanes) -> LaneAccess<Value>,
    isValid: (@Sendable (Value) -> Bool)? = nil,
    isOmitted: @escaping @Sendable (Value) -> Bool = { _ in false },
    appliesFirst: @escaping @Sendable (Value) -> Bool = { _ in false },
    recommend:
      @escaping @Sendable (SessionLanes, ParameterRecommendation) async throws -> Void
  ) {
    key = SessionKey(stringValue: name)
    self.get = get
    self.set = set
    self.access = access
    self.isValid = isValid
    self.isOmitted = isOmitted
    self.appliesFirst = appliesFirst
    self.recommend = recommend
  }

  func readRequested(
    _ lanes: SessionLanes, _ machine: TransactionMachine, into values: inout SessionValues
  ) {
    set(&values, access(lanes).requested(machine))
  }

  func addPart(
    to parts: inout [ValuePart], _ assigned: UInt64, _ values: SessionValues,
    _ lanes: SessionLanes
  ) throws(ParameterError) {
    let (value, access) = (get(values), access(lanes))
    guard assigned & access.lane.bit != 0 else { return }
    guard access.isValid(value) else { throw access.invalid(value) }
    let part = ValuePart(access.lane, target: ValueBox(value), lifetime: access.lifetime)
    parts.insert(part, at: appliesFirst(value) ? 0 : parts.count)
  }

  func state(_ lanes: SessionLanes) -> TransactionMachine.LaneState {
    let lane = access(lanes).lane
    return lanes.kernel.withLock { $0.lanes[lane.index ?? 0] }
  }

  func follow(
    _ recommendation: ParameterRecommendation, _ lanes: SessionLanes
  ) async throws {
    try await recommend(lanes, recommendation)
  }

  func decode(from container: SessionContainer, into values: inout SessionValues) throws {
    if !container.contains(key), isOmitted(get(values)) { return }
    let value = try container.decode(Value.self, forKey: key)
    guard isValid?(value) != false else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "its \(key.stringValue) is \(value)")
    }
    set(&values, value)
  }

  func encode(_ values: SessionValues, to container: inout SessionEncodingContainer) throws {
    let value = get(values)
    if !isOmitted(value) { try container.encode(value, forKey: key) }
  }
}

extension SessionValues {
  /// All parameters of a session. An update applies the values in the order of this list.
  static let parameters: [any SessionParameter] = [
    SessionField(
      "preset", get: { $0.preset }, set: { $0.preset = $1 }, of: { $0.preset },
      isOmitted: { $0 == nil },
      recommend: { lanes, recommendation in
        if recommendation.clearsPreset {
          _ = try await lanes.preset.apply(nil, isRecommended: true).get()
        } else if recommendation.reloadsPreset {
          _ = try await lanes.presetLoader.reload(isRecommended: true).get()
        }
      }),
    SessionField(
      "fineTuning", get: { $0.fineTuning }, set: { $0.fineTuning = $1 }, of: { $0.fineTuning },
      isOmitted: { $0 == .none },
      recommend: { lanes, recommendation in
        guard recommendation.clearsPreset else { return }
        _ = try await lanes.fineTuning.apply(.none, isRecommended: true).get()
      }),
    SessionField(
      "intensity", get: { $0.intensity }, set: { $0.intensity = $1 }, of: { $0.intensity },
      isValid: isValid(intensity:),
      recommend: { lanes, recommendation in
        guard let value = recommendation.intensity else { return }
        _ = try await lanes.intensity.apply(value, isRecommended: true).get()
      }),
    SessionField(
      "isEnabled", get: { $0.isEnabled }, set: { $0.isEnabled = $1 }, of: { $0.isEnabled },
      appliesFirst: { !$0 },
      recommend: { lanes, recommendation in
        guard let value = recommendation.isEnabled else { return }
        _ = try await lanes.restore(.adopt(value)) { _ in }.get()
      }),
  ]
}
