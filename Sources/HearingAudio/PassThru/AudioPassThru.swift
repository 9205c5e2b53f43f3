public import Foundation
public import HearingProcessing

/// Passes audio data from the microphone of a connected device to the app that requested the data.
///
///     let passThru = AudioPassThru()
///     connection.onAudioData = { passThru.receive($0) }
///     passThru.perform(request)
///
/// ``perform(_:)`` returns a publisher of the response. To get the response on the main actor, use
/// the publisher's method `sinkOnMainActor`.
///
/// The code that owns the connection calls ``receive(_:)`` with each chunk of data. At the end of
/// the data, this code calls ``sourceDidFinish()``. A chunk may end anywhere, even between the two
/// bytes of a sample. The app performs one request at a time. Each chunk goes first to the
/// request's handler, and then to the subscribers of ``audioData``. The subscribers of
/// ``audioData`` also get chunks that arrive while no request is running. With
/// ``PassThruProcessing``, the chunks of a request are processed with a listener's preset.
/// Processed chunks contain only whole samples. Therefore an incoming chunk of one byte may produce
/// no output.
///
/// Any thread and any handler may call the methods of `AudioPassThru`. Calls are processed in
/// order, one at a time. Usually, a call is processed before the called method returns. If another
/// thread is still processing an earlier call, the called method returns immediately, and the other
/// thread processes the new call. If a handler calls a method, the method always returns
/// immediately, and the call is processed after the handler has returned. If a handler is slower
/// than real time, chunks wait in memory, and the memory use grows.
///
/// A request ends when its maximum duration is reached. The maximum duration limits both the
/// duration of the received frames and the time since the start of the clock. The clock is a timer
/// of the scheduler. `AudioPassThruRequest.clockStart` determines when the clock starts.
/// `AudioPassThru` does not record audio, and does not implement a connection.
public final class AudioPassThru {
  /// A publisher of the response to a request. If the request fails, the publisher delivers the
  /// error.
  public typealias Result = ResultPublisher<AudioPassThruResponse, AudioPassThruError>

  private let presenter: AudioPassThruPresenter
  private let processing: PassThruProcessing?
  private let scheduler: any DeadlineScheduler
  private let calls = SerialQueue()
  private let broadcast = EventSource<Data>()
  private let running = Lock(false)
  /// The running request. Nil if no request is running. Only `deinit` and the closures that `calls`
  /// runs use this property.
  private var run: PassThruRun?

  /// Creates an `AudioPassThru` without a running request.
  ///
  /// - Parameters:
  ///   - presenter: Shows texts, plays the prompt and mutes other audio.
  ///   - processing: Processes the chunks of requests. If `processing` is nil, the handlers get
  ///     unchanged chunks.
  ///   - scheduler: The scheduler that measures time and ends requests at their maximum duration.
  public init(
    presenter: AudioPassThruPresenter = AudioPassThruPresenter(),
    processing: PassThruProcessing? = nil,
    scheduler: any DeadlineScheduler = DispatchScheduler()
  ) {
    self.presenter = presenter
    self.processing = processing
    self.scheduler = scheduler
  }

  deinit {
    close(with: .failure(.disconnected))
  }

  /// A publisher of all chunks that are received after the subscription. The request's handler gets
  /// each chunk first.
  public var audioData: EventPublisher<Data> { EventPublisher(broadcast) }

  /// Whether a request is running. A request runs from its start until its handler is released.
  public var isRunning: Bool { running.withLock { $0 } }

  /// Starts a request. Only one request can run at a time.
  ///
  /// - Returns: A publisher of the response. The response is delivered after the request has ended
  ///   and the request's handler has been released. If another request is running, the error is
  ///   ``AudioPassThruError/requestRunning``.
  @discardableResult
  public func perform(_ request: AudioPassThruRequest) -> Result {
    let result = Result()
    calls.run { [self] in begin(request, result) }
    return result
  }

  /// Ends the running request. Does nothing if no request is running.
  public func end() {
    enqueueEnd(.success(.endedByApp))
  }

  /// Delivers a chunk of audio data to the handler of the running request and to the subscribers of
  /// ``audioData``. If `data` is nil or empty, the handler gets nil, and the subscribers of
  /// ``audioData`` get empty data.
  ///
  /// If the received data exceed the request's maximum duration, the request ends, and the data
  /// after the maximum duration are discarded.
  public func receive(_ data: Data?) {
    calls.run { [self] in pass(data ?? Data()) }
  }

  /// Reports that the source of the audio data has finished. The running request succeeds.
  public func sourceDidFinish() {
    enqueueEnd(.success(.sourceFinished))
  }

  /// Reports that the source of the audio data has failed. The running request fails.
  ///
  /// - Parameter reason: A short reason for a log.
  public func sourceDidFail(reason: String) {
    enqueueEnd(.failure(.sourceFailed(reason: reason)))
  }

  /// Reports that the connection was closed. The handler is released and the running request fails.
  ///
  /// After the call of `disconnect`, the app can perform new requests.
  public func disconnect() {
    enqueueEnd(.failure(.disconnected))
  }

  private typealias Ending = Swift.Result<AudioPassThruResponse.Ending, AudioPassThruError>

  private func enqueueEnd(_ ending: Ending) {
    calls.run { [self] in close(with: ending) }
  }

  /// Runs the closure `step` after all earlier calls have been processed. Does nothing if the
  /// request that belongs to `result` has already ended.
  private func enqueue(
    forRequest result: Result, _ step: @escaping @Sendable (AudioPassThru) -> Void
  ) {
    calls.run { [self] in if run?.result === result { step(self) } }
  }

  private func begin(_ request: AudioPassThruRequest, _ result: Result) {
    do throws(AudioPassThruError) {
      guard run == nil else { throw .requestRunning }
      guard request.audioType == "pcm" else { throw .unsupportedAudioType(request.audioType) }
      run = try PassThruRun(result, request, processing)
      running.withLock { $0 = true }
      let startsNow = request.clockStart == .request
      let isPrompted = presenter.begin(request) { [weak self] in
        self?.enqueue(forRequest: result) { if startsNow { $0.startClock() } }
      }
      if run?.isFull == true {
        close(with: .success(.durationReached))
      } else if startsNow, !isPrompted {
        startClock()
      }
    } catch {
      result.settle(.failure(error))
    }
  }

  private func pass(_ data: Data) {
    if !data.isEmpty { startClock() }
    let chunk = run?.process(data) ?? Data(data)
    // If the processed data contain no complete sample, `chunk` is empty, and the handler is not
    // called. If the source sent empty data, the handler is always called.
    if data.isEmpty || !chunk.isEmpty {
      run?.request.audioDataHandler?(data.isEmpty ? nil : chunk)
      broadcast.send(chunk)
    }
    if run?.isFull == true { close(with: .success(.durationReached)) }
  }

  /// Starts the timer that ends the request after its maximum duration. Does nothing if the timer
  /// has already started, or if the request has no time limit.
  private func startClock() {
    guard let result = run?.result, let duration = run?.clockDuration, run?.timer == nil else {
      return
    }
    run?.timer = scheduler.schedule(at: scheduler.now + duration) { [weak self] in
      self?.enqueue(forRequest: result) { $0.close(with: .success(.durationReached)) }
    }
  }

  private func close(with ending: Ending) {
    guard let (result, outcome) = run.map({ ($0.result, ending.map($0.response)) }) else { return }
    if let request = run?.request { presenter.end(request) }
    // Releases the handler, the processor and the timer before the result is delivered.
    run = nil
    running.withLock { $0 = false }
    result.settle(outcome)
  }
}

// The class is Sendable because only `deinit` and the closures in `calls` use `run`. `calls` runs
// one closure at a time. All other properties are constants of Sendable types.
extension AudioPassThru: @unchecked Sendable {}
