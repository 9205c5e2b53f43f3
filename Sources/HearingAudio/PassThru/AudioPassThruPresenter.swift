internal import HearingProcessing

/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { first, second in banner.show(first, second) }
///     presenter.playPrompt = { chunks, finished in speaker.speak(chunks, completion: finished) }
///
/// If a closure is nil, its step is skipped. The thread that processes the request calls the
/// closures in order, and the calls never overlap. At the start, the texts are shown, other audio
/// is muted, and then the prompt is played. At the end, other audio is unmuted, and the texts are
/// removed. Only then is the result of the request delivered.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio if the argument is true, and unmutes it if the argument is false.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows two lines of text. Each line may be nil. If both lines are nil, removes the text.
  public var showTexts: (@Sendable (_ first: String?, _ second: String?) -> Void)?

  /// Starts to play the chunks of a prompt in order. The prompt has at least one chunk.
  ///
  /// When the prompt has been played, the closure must call `finished`, on any thread. With
  /// ``AudioPassThruRequest/ClockStart/request``, this call starts the clock of the request. If the
  /// closure never calls `finished`, the clock starts when the app releases `finished`.
  public var playPrompt:
    (
      @Sendable (
        _ chunks: [AudioPassThruRequest.PromptChunk], _ finished: @escaping @Sendable () -> Void
      ) -> Void
    )?

  /// Creates a presenter without closures.
  public init() {}

  /// Presents the start of a request. Returns true if a prompt is being played. `finished` is then
  /// called once, at the end of the prompt.
  func begin(_ request: AudioPassThruRequest, finished: @escaping @Sendable () -> Void) -> Bool {
    if request.hasDisplayTexts { showTexts?(request.displayText1, request.displayText2) }
    if request.mutesOtherAudio { muteOtherAudio?(true) }
    guard !request.initialPrompt.isEmpty, let playPrompt else { return false }
    // The token calls `finished` exactly once: when the prompt has been played, or when the token
    // is released.
    let end = ObservationToken(finished)
    playPrompt(request.initialPrompt) { end.cancel() }
    return true
  }

  func end(_ request: AudioPassThruRequest) {
    if request.mutesOtherAudio { muteOtherAudio?(false) }
    if request.hasDisplayTexts { showTexts?(nil, nil) }
  }
}
