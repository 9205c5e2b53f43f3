internal import Foundation
internal import HearingProcessing

/// A running request: its result and the number of bytes received.
struct PassThruRun {
  let result: ResultPublisher<AudioPassThruResponse, AudioPassThruError>
  let request: AudioPassThruRequest
  let chain: PassThruChain?
  /// The timer that ends the request at its maximum duration. Nil if the clock has not started.
  var timer: ObservationToken?
  private(set) var receivedByteCount = 0

  /// Whether the maximum duration has been reached.
  var isFull: Bool { receivedByteCount == byteLimit }

  /// The maximum time from the start of the clock to the end of the request, clamped to a hundred
  /// years. Nil if only the number of received frames is limited.
  var clockDuration: Duration? {
    let limit = 3_155_760_000_000
    return request.clockStart.map { _ in .milliseconds(min(request.maximumDuration, limit)) }
  }

  private var bytesPerFrame: Int { request.sampleSize.rawValue / 8 }

  private var byteLimit: Int {
    Int(clamping: Int128(request.maximumFrameCount) * Int128(bytesPerFrame))
  }

  /// Processes the start of a chunk, up to the maximum duration of the request.
  ///
  /// - Returns: The processed data, with indices that start at 0. The data are empty if no sample
  ///   is complete yet.
  mutating func process(_ chunk: Data) -> Data {
    let accepted = Data(chunk.prefix(byteLimit - receivedByteCount))
    receivedByteCount += accepted.count
    return chain?.process(accepted) ?? accepted
  }

  func response(_ ending: AudioPassThruResponse.Ending) -> AudioPassThruResponse {
    AudioPassThruResponse(
      ending: ending, frameCount: receivedByteCount / bytesPerFrame,
      strayByteCount: receivedByteCount % bytesPerFrame,
      clippedSampleCount: chain?.clippedSampleCount ?? 0)
  }
}
