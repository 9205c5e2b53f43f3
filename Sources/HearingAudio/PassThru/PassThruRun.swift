internal import Foundation
internal import HearingProcessing

/// A request that is being carried out: how much of it has come, and who waits for it.
struct PassThruRun {
  let result: ResultPublisher<AudioPassThruResponse, AudioPassThruError>
  /// Without its handler, so that nothing else holds that.
  let request: AudioPassThruRequest
  private(set) var handler: (@Sendable (Data?) -> Void)?
  private var chain: PassThruChain?
  private let byteLimit: Int
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
    byteLimit = request.maximumFrameCount * (request.sampleSize.rawValue / 8)
  }

  /// Whether the longest duration is used up.
  var isFull: Bool { receivedByteCount == byteLimit }

  /// What of a chunk lies within the longest duration, as it is to be heard.
  ///
  /// - Returns: Data whose indices begin with 0; empty if a processed sample is not whole yet.
  mutating func take(_ chunk: Data) -> Data {
    let taken = Data(chunk.prefix(byteLimit - receivedByteCount))
    receivedByteCount += taken.count
    return chain?.process(taken) ?? taken
  }

  func response(_ ending: AudioPassThruResponse.Ending) -> AudioPassThruResponse {
    let width = request.sampleSize.rawValue / 8
    return AudioPassThruResponse(
      ending: ending, frameCount: receivedByteCount / width,
      strayByteCount: receivedByteCount % width,
      clippedSampleCount: chain?.clippedSampleCount ?? 0)
  }

  /// Lets go of the handler and of the processor's binding, then delivers the result.
  mutating func settle(_ outcome: Swift.Result<AudioPassThruResponse, AudioPassThruError>) {
    handler = nil
    chain = nil
    result.settle(outcome)
  }
}
