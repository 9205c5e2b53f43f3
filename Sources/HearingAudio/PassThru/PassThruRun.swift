internal import Foundation
internal import HearingProcessing

/// A running request: its handler, its result and the number of bytes received.
struct PassThruRun {
  let result: ResultPublisher<AudioPassThruResponse, AudioPassThruError>
  /// The request, but without its handler. Only the property `handler` retains the handler.
  let request: AudioPassThruRequest
  private(set) var handler: (@Sendable (Data?) -> Void)?
  private var chain: PassThruChain?
  private let byteLimit: Int
  /// The timer that ends the request at its maximum duration. Nil if the clock has not started.
  var timer: ObservationToken?
  private var receivedByteCount = 0

  init(
    _ request: AudioPassThruRequest, chain: PassThruChain?,
    result: ResultPublisher<AudioPassThruResponse, AudioPassThruError>
  ) {
    self.result = result
    var request = request
    handler = request.audioDataHandler
    request.audioDataHandler = nil
    self.request = request
    self.chain = chain
    byteLimit = Int(
      clamping: Int128(request.maximumFrameCount) * Int128(request.sampleSize.rawValue / 8))
  }

  /// Whether the clock must still be started.
  var needsClock: Bool { request.clockStart != nil && timer == nil }

  /// Whether the maximum duration has been reached.
  var isFull: Bool { receivedByteCount == byteLimit }

  /// Processes the part of a chunk that is within the maximum duration.
  ///
  /// - Returns: Data whose indices start at 0. The data are empty if no processed sample is
  ///   complete yet.
  mutating func process(_ chunk: Data) -> Data {
    let accepted = Data(chunk.prefix(byteLimit - receivedByteCount))
    receivedByteCount += accepted.count
    return chain?.process(accepted) ?? accepted
  }

  func response(_ ending: AudioPassThruResponse.Ending) -> AudioPassThruResponse {
    let width = request.sampleSize.rawValue / 8
    return AudioPassThruResponse(
      ending: ending, frameCount: receivedByteCount / width,
      strayByteCount: receivedByteCount % width,
      clippedSampleCount: chain?.clippedSampleCount ?? 0)
  }

  /// Releases the handler, the processing and the timer.
  mutating func release() {
    handler = nil
    chain = nil
    timer?.cancel()
    timer = nil
  }
}
