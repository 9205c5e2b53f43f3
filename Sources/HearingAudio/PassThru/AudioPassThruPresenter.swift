/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { first, second in banner.show(first, second) }
///
/// A nil closure is skipped. Calls are made in order and never overlap, on the thread that carries
/// out the request. First the texts are shown and other audio is muted, then the prompt is played.
/// At the end, before the result is delivered, the texts are removed and other audio is unmuted.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio if the argument is true, otherwise unmutes it.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows two lines of text, either of which may be nil. If both are nil, removes the lines.
  public var showTexts: (@Sendable (_ first: String?, _ second: String?) -> Void)?

  /// Plays the chunks of a prompt in order; there is at least one chunk.
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
