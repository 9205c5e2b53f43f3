internal import Foundation
internal import HearingProcessing

/// The state of a running request.
struct PassThruRun {
  let result: AudioPassThru.Result
  let request: AudioPassThruRequest
  /// The processor of the request, and the binding that applies the session's values to the
  /// processor. Nil if the chunks are not processed.
  private let bound: PassThruProcessing.Bound?
  private var encoder: SampleEncoder
  /// The received bytes of a sample that is not complete yet.
  private var unfinished = Data()
  /// The timer that ends the request at its maximum duration. Nil if the clock has not started.
  var timer: ObservationToken?
  private(set) var receivedByteCount = 0

  init(
    _ result: AudioPassThru.Result, _ request: AudioPassThruRequest,
    _ processing: PassThruProcessing?
  ) throws(AudioPassThruError) {
    self.result = result
    self.request = request
    bound = try processing?.bound(for: request)
    encoder = SampleEncoder(encoding: request.encoding, channelCount: 1)
  }

  /// Whether the maximum duration has been reached.
  var isFull: Bool { receivedByteCount == byteLimit }

  /// The maximum time from the start of the clock to the end of the request, clamped to a hundred
  /// years. Nil if the maximum duration limits only the received frames.
  var clockDuration: Duration? {
    let limit = Int(clamping: 3_155_760_000_000 as Int64)
    return request.clockStart.map { _ in .milliseconds(min(request.maximumDuration, limit)) }
  }

  private var bytesPerFrame: Int { request.encoding.byteCount }

  private var byteLimit: Int {
    Int(clamping: Int128(request.maximumFrameCount) * Int128(bytesPerFrame))
  }

  /// Processes the part of a chunk that is within the maximum duration of the request.
  ///
  /// - Returns: The processed data, with indices that start at 0. If no sample is complete yet, the
  ///   returned data are empty.
  mutating func process(_ chunk: Data) -> Data {
    let accepted = Data(chunk.prefix(byteLimit - receivedByteCount))
    receivedByteCount += accepted.count
    guard let processor = bound?.processor else { return accepted }
    var bytes = [UInt8](unfinished + accepted)
    unfinished = Data(bytes.suffix(bytes.count % bytesPerFrame))
    bytes.removeLast(unfinished.count)
    let block = AudioBlock(channelCount: 1, capacity: bytes.count / bytesPerFrame)
    block.frameCount = block.capacity
    // Unsafe: the block has one frame for each sample in `bytes`.
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe SampleDecoder(encoding: request.encoding, channelCount: 1).decode(
        UnsafeRawBufferPointer(bytes), frameCount: block.frameCount, into: block.channels, from: 0)
      processor.process(block)
      unsafe encoder.encode(block.channels, from: 0, frameCount: block.frameCount, into: bytes)
    }
    return Data(bytes)
  }

  func response(_ ending: AudioPassThruResponse.Ending) -> AudioPassThruResponse {
    AudioPassThruResponse(
      ending: ending, frameCount: receivedByteCount / bytesPerFrame,
      strayByteCount: receivedByteCount % bytesPerFrame,
      clippedSampleCount: encoder.clippedSampleCount)
  }
}
