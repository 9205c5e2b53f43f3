/// What the listener did during a presentation.
///
///     try test.answer(.heard, after: .milliseconds(420))
///     try test.answer(.notHeard)
///     try test.answer(ToneResponse(isHeard: true, pressedInSilence: true), after: delay)
public struct ToneResponse: Sendable, Hashable, Codable {
  /// Whether the button was pressed within ``Presentation/responseWindow`` after the onset.
  public let isHeard: Bool
  /// Whether the button was pressed in the silence before the onset.
  public let pressedInSilence: Bool

  /// A response.
  public init(isHeard: Bool, pressedInSilence: Bool = false) {
    self.isHeard = isHeard
    self.pressedInSilence = pressedInSilence
  }

  /// The button was pressed within the response window.
  public static let heard = ToneResponse(isHeard: true)
  /// The button was not pressed within the response window.
  public static let notHeard = ToneResponse(isHeard: false)
}
