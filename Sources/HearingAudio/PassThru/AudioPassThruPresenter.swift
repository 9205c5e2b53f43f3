/// Shows, says and mutes what a request for audio data asks for.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { texts in banner.lines = texts }
///
/// What is nil is left out. Calls come in order and never overlap, on the thread that carries the
/// request out: texts and mute first, then the prompt; at the end, before the result, everything is
/// taken back that was put up.
public struct AudioPassThruPresenter: Sendable {
  /// Silences everything else that plays, or lets it be heard again.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows these lines; none: takes them away.
  public var showTexts: (@Sendable ([String]) -> Void)?

  /// Speaks to the user.
  public var speakPrompt: (@Sendable (String) -> Void)?

  /// Presents nothing.
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
