/// The amplitude of a test tone over time, 0 to 1.
struct ToneEnvelope: Sendable {
  let shape: ToneShape

  /// The amplitude at a time, given in seconds after the onset.
  func amplitude(at time: Double) -> Double {
    guard time >= 0, time < shape.duration else { return 0 }
    let pulse = min((time / ToneShape.pulsePeriod).rounded(.down), Double(shape.pulseCount - 1))
    let inside = time - pulse * ToneShape.pulsePeriod
    return Self.ramp(inside) * Self.ramp(shape.pulseDuration - inside)
  }

  /// A raised cosine that rises from 0 at 0 s to 1 at ``ToneShape/rampDuration``.
  static func ramp(_ time: Double) -> Double {
    guard time > 0 else { return 0 }
    guard time < ToneShape.rampDuration else { return 1 }
    return 0.5 - 0.5 * CMath.cosine(.pi * time / ToneShape.rampDuration)
  }
}
