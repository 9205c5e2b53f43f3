/// The values of a session's parameters together.
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
      "preset", get: { $0.preset }, set: { $0.preset = $1 }, of: { $0.preset.sequencer },
      isLeftOut: { $0 == nil },
      recommend: { session, recommendation in
        if recommendation.clearsPreset {
          _ = try await session.preset.sequencer.apply(nil, isRecommended: true).get()
          return
        }
        guard recommendation.reloadsPreset else { return }
        _ = try await session.preset.reloadAsRecommended().get()
      }),
    SessionField(
      "intensity", get: { $0.intensity }, set: { $0.intensity = $1 },
      of: { $0.intensity.sequencer },
      isValid: isValid(intensity:),
      recommend: { session, recommendation in
        guard let value = recommendation.intensity else { return }
        _ = try await session.intensity.sequencer.apply(value, isRecommended: true).get()
      }),
    SessionField(
      "isEnabled", get: { $0.isEnabled }, set: { $0.isEnabled = $1 },
      of: { $0.isEnabled.sequencer },
      appliesFirst: { !$0 },
      recommend: { session, recommendation in
        guard let value = recommendation.isEnabled else { return }
        _ = try await session.adopt(isEnabled: value).get()
      }),
  ]
}
