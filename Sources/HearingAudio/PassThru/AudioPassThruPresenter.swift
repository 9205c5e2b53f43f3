/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { first, second in banner.show(first, second) }
///
/// A nil closure is skipped. Calls are made in order and never overlap, on the thread that carries out
/// the request: first texts and mute, then the prompt; at the end, before the result, texts and mute
/// are undone.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio, or unmutes it.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows two lines, each of which may be missing; nil for both: removes them.
  public var showTexts: (@Sendable (_ first: String?, _ second: String?) -> Void)?

  /// Plays the chunks of a prompt, at least one, in order.
  public var playPrompt: (@Sendable ([AudioPassThruRequest.PromptChunk]) -> Void)?

  /// Creates a presenter without closures.
  public init() {}

  func begin(_ request: AudioPassThruRequest) {
    if request.hasDisplayTexts { showTexts?(request.displayText1, request.displayText2) }
    if request.mutesOtherAudio { muteOtherAudio?(true) }
    if !request.initialPrompt.isEmpty { playPrompt?(request.initialPrompt) }
  }

  func end(_ request: AudioPassThruRequest) {
    if request.mutesOtherAudio { muteOtherAudio?(false) }
    if request.hasDisplayTexts { showTexts?(nil, nil) }
  }
}
