/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { texts in banner.lines = texts }
///
/// A nil closure is skipped. Calls are made in order and never overlap, on the thread that carries out
/// the request: first texts and mute, then the prompt; at the end, before the result, texts and mute
/// are undone.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio, or unmutes it.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows these lines; an empty array: removes them.
  public var showTexts: (@Sendable ([String]) -> Void)?

  /// Speaks a text to the user.
  public var speakPrompt: (@Sendable (String) -> Void)?

  /// Creates a presenter without closures.
  public init() {}

  func begin(_ request: AudioPassThruRequest) {
    if !request.displayTexts.isEmpty { showTexts?(request.displayTexts) }
    if request.mutesOtherAudio { muteOtherAudio?(true) }
    if let prompt = request.initialPrompt { speakPrompt?(prompt) }
  }

  func end(_ request: AudioPassThruRequest) {
    if request.mutesOtherAudio { muteOtherAudio?(false) }
    if !request.displayTexts.isEmpty { showTexts?([]) }
  }
}
