internal import HearingProcessing

/// Closures that present a request for audio data to the user.
///
///     var presenter = AudioPassThruPresenter()
///     presenter.showTexts = { first, second in banner.show(first, second) }
///     presenter.playPrompt = { chunks, finished in speaker.speak(chunks, completion: finished) }
///
/// A nil closure is skipped. Calls are made in order and never overlap, on the thread that
/// processes the request. First the texts are shown and other audio is muted, then the prompt is
/// played. At the end, before the result is delivered, the texts are removed and other audio is
/// unmuted.
public struct AudioPassThruPresenter: Sendable {
  /// Mutes other audio if the argument is true, otherwise unmutes it.
  public var muteOtherAudio: (@Sendable (Bool) -> Void)?

  /// Shows two lines of text, either of which may be nil. If both are nil, removes the lines.
  public var showTexts: (@Sendable (_ first: String?, _ second: String?) -> Void)?

  /// Starts to play the chunks of a prompt in order; there is at least one chunk.
  ///
  /// Must call `finished`, on any thread, when the prompt has been played: then the clock of the
  /// request starts. Releasing `finished` without a call counts as a call.
  public var playPrompt:
    (
      @Sendable (
        _ chunks: [AudioPassThruRequest.PromptChunk], _ finished: @escaping @Sendable () -> Void
      ) -> Void
    )?

  /// Creates a presenter without closures.
  public init() {}

  /// Returns whether a prompt is being played; if so, `finished` is called once at its end.
  func begin(_ request: AudioPassThruRequest, finished: @escaping @Sendable () -> Void) -> Bool {
    if request.hasDisplayTexts { showTexts?(request.displayText1, request.displayText2) }
    if request.mutesOtherAudio { muteOtherAudio?(true) }
    guard !request.initialPrompt.isEmpty, let playPrompt else { return false }
    let end = PromptEnd(finished)
    playPrompt(request.initialPrompt) { end.finish() }
    return true
  }

  func end(_ request: AudioPassThruRequest) {
    if request.mutesOtherAudio { muteOtherAudio?(false) }
    if request.hasDisplayTexts { showTexts?(nil, nil) }
  }
}

/// Calls a closure once: when the prompt has finished, or when the last reference is released.
private final class PromptEnd: Sendable {
  private let finished: @Sendable () -> Void
  private let isFinished = Lock(false)

  init(_ finished: @escaping @Sendable () -> Void) {
    self.finished = finished
  }

  deinit {
    finish()
  }

  func finish() {
    let isFirst = isFinished.withLock { isFinished in
      defer { isFinished = true }
      return !isFinished
    }
    if isFirst { finished() }
  }
}
