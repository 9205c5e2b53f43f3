/// The listener's answer to a presentation.
///
///     try test.answer(.heard, after: .milliseconds(420))
///     try test.answer(.notHeard)
///     try test.answer(ToneResponse(isHeard: true, pressedInSilence: true), after: delay)
public struct ToneResponse: Sendable, Hashable, Codable {
  /// Whether the listener pressed the button within ``Presentation/responseWindow`` after the onset
  /// of the tone.
  public let isHeard: Bool
  /// Whether the listener pressed the button in the silence before the onset of the tone.
  public let pressedInSilence: Bool

  /// Creates an answer to a presentation.
  public init(isHeard: Bool, pressedInSilence: Bool = false) {
    self.isHeard = isHeard
    self.pressedInSilence = pressedInSilence
  }

  /// The listener pressed the button within the response window.
  public static let heard = ToneResponse(isHeard: true)
  /// The listener did not press the button within the response window.
  public static let notHeard = ToneResponse(isHeard: false)
}
