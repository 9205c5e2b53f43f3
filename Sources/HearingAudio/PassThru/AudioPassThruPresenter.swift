internal import HearingProcessing

/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { first, second in banner.show(first, second) }
///     presenter.playPrompt = { chunks, finished in speaker.speak(chunks, completion: finished) }
///
/// If a closure is nil, the presenter skips the closure's action. The thread that processes the
/// request calls the closures in order. The calls of the closures never overlap. At the start of a
/// request, the presenter shows the texts, mutes other audio and plays the prompt, in this order.
/// At the end of a request, the presenter unmutes other audio and removes the texts. The result of
/// the request is delivered after the texts have been removed.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio if the argument is true. Unmutes other audio if the argument is false.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows two lines of text. Each line may be nil. If both lines are nil, removes the text.
  public var showTexts: (@Sendable (_ first: String?, _ second: String?) -> Void)?

  /// Starts to play the chunks of a prompt in order. The prompt has at least one chunk.
  ///
  /// When the prompt has been played, the closure must call `finished`, on any thread. If
  /// `clockStart` of the request is ``AudioPassThruRequest/ClockStart/request``, the call of
  /// `finished` starts the clock of the request. If the closure never calls `finished`, the clock
  /// starts when the app releases `finished`.
  public var playPrompt:
    (
      @Sendable (
        _ chunks: [AudioPassThruRequest.PromptChunk], _ finished: @escaping @Sendable () -> Void
      ) -> Void
    )?

  /// Creates a presenter without closures.
  public init() {}

  /// Presents the start of a request. If a prompt is being played, returns true, and calls
  /// `finished` once, at the end of the prompt.
  func begin(_ request: AudioPassThruRequest, finished: @escaping @Sendable () -> Void) -> Bool {
    if request.hasDisplayTexts { showTexts?(request.displayText1, request.displayText2) }
    if request.mutesOtherAudio { muteOtherAudio?(true) }
    guard !request.initialPrompt.isEmpty, let playPrompt else { return false }
    // The app may call the closure below several times, or may release the closure without a call.
    // In each case, the token calls `finished` exactly once.
    let end = ObservationToken(finished)
    playPrompt(request.initialPrompt) { end.cancel() }
    return true
  }

  func end(_ request: AudioPassThruRequest) {
    if request.mutesOtherAudio { muteOtherAudio?(false) }
    if request.hasDisplayTexts { showTexts?(nil, nil) }
  }
}
