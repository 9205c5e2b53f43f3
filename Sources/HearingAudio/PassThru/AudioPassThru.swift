public import Foundation
public import HearingProcessing

/// Hands the sound of a connected device's microphone to the app that asked for it.
///
///     let passThru = AudioPassThru()
///     connection.onAudioData = { passThru.receive($0) }
///     let token = passThru.perform(request).sink { completion in … } receiveValue: { response in
///       print("\(response.frameCount) frames, \(response.ending)")
///     }
///
/// Whoever holds the connection calls ``receive(_:)`` with what arrives, cut up in any way, and
/// tells how the source ends; the app performs one request at a time. Each chunk goes to the
/// request's handler and then to everybody who watches ``audioData``, also while no request runs.
/// With ``PassThruProcessing`` the chunks of a request are heard through a listener's preset; only
/// whole samples are handed on then, so that a chunk of one byte may bring nothing.
///
/// Any thread may call any method, also from inside a handler. What is called is carried out in
/// order, by one thread at a time: usually before the call returns, else by the thread that is at
/// it already. A handler that is slower than the sound lets memory grow.
///
/// It is no recorder and knows no transport.
public final class AudioPassThru {
  /// The response to a request, or why there is none.
  public typealias Result = ResultPublisher<AudioPassThruResponse, AudioPassThruError>

  private let presenter: AudioPassThruPresenter
  private let processing: PassThruProcessing?
  private let inbox = PassThruInbox()
  private let broadcast = EventSource<Data>()
  /// Only touched by the thread that serves the inbox, and by `deinit`.
  private var run: PassThruRun?

  /// A pass-thru with no request running.
  ///
  /// - Parameters:
  ///   - presenter: Shows, says and mutes what requests ask for.
  ///   - processing: How requests are processed; nil: bytes are handed on as they come.
  public init(
    presenter: AudioPassThruPresenter = AudioPassThruPresenter(),
    processing: PassThruProcessing? = nil
  ) {
    self.presenter = presenter
    self.processing = processing
  }

  deinit {
    close(with: .failure(.disconnected))
  }

  /// Every chunk from the subscription on, after the request's handler has had it.
  public var audioData: EventPublisher<Data> { EventPublisher(broadcast) }

  /// Begins a request; it starts clean, whatever came before.
  ///
  /// - Returns: The response once the request has ended, after the handler was released; or an
  ///   error, ``AudioPassThruError/requestRunning`` if another request runs.
  public func perform(_ request: AudioPassThruRequest) -> Result {
    let result = Result()
    serve(.begin(request, result))
    return result
  }

  /// Ends the running request; without one nothing happens.
  public func end() {
    serve(.end(.success(.endedByApp)))
  }

  /// Hands on what arrived; no bytes: an empty notification, which the handler gets as nil.
  ///
  /// The chunk that crosses the request's longest duration is cut there, and ends the request.
  public func receive(_ data: Data) {
    serve(.receive(data))
  }

  /// There is no more sound: the running request ends with a response.
  public func sourceDidFinish() {
    serve(.end(.success(.sourceFinished)))
  }

  /// The source broke off: the running request fails.
  ///
  /// - Parameter reason: In a few words, for a log.
  public func sourceDidFail(reason: String) {
    serve(.end(.failure(.sourceFailed(reason: reason))))
  }

  /// The connection is closed: the handler is released and the running request fails.
  ///
  /// A new request may be performed afterwards.
  public func disconnect() {
    serve(.end(.failure(.disconnected)))
  }

  private func serve(_ message: PassThruInbox.Message) {
    var next = inbox.put(message)
    while let message = next {
      switch message {
      case .begin(let request, let result): begin(request, result)
      case .receive(let data): handOn(data)
      case .end(let ending): close(with: ending)
      }
      next = inbox.next()
    }
  }

  private func begin(_ request: AudioPassThruRequest, _ result: Result) {
    do throws(AudioPassThruError) {
      guard run == nil else { throw .requestRunning }
      try request.validate()
      run = PassThruRun(request, chain: try processing?.chain(for: request), result: result)
      presenter.begin(request)
    } catch {
      result.settle(.failure(error))
    }
  }

  private func handOn(_ data: Data) {
    guard !data.isEmpty else {
      run?.handler?(nil)
      return
    }
    guard let chunk = run?.take(data) else {
      broadcast.send(Data(data))
      return
    }
    if !chunk.isEmpty {
      run?.handler?(chunk)
      broadcast.send(chunk)
    }
    if run?.isFull == true { close(with: .success(.durationReached)) }
  }

  private func close(
    with ending: Swift.Result<AudioPassThruResponse.Ending, AudioPassThruError>
  ) {
    guard var ended = run.take() else { return }
    presenter.end(ended.request)
    ended.settle(ending.map(ended.response))
  }
}

// Sendable because `run` is only touched between a message of the inbox and the next, by one thread
// at a time, which the inbox's lock orders; everything else is constant and Sendable.
extension AudioPassThru: @unchecked Sendable {}
