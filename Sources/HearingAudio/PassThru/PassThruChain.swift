internal import Foundation
internal import HearingDSP

/// Bytes in, processed bytes out, wherever the bytes are divided.
struct PassThruChain {
  private let processor: BandGainProcessor
  /// Keeps the session's applicators alive.
  private let binding: ProcessorBinding?
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  private let block = AudioBlock(channelCount: 1, capacity: 2_048)
  /// The bytes of a sample of which the rest is still to come.
  private var unfinished = Data()

  init(_ processor: BandGainProcessor, binding: ProcessorBinding?, encoding: SampleEncoding) {
    self.processor = processor
    self.binding = binding
    decoder = SampleDecoder(encoding: encoding, channelCount: 1)
    encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
  }

  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// The samples that are whole by now, processed; perhaps none.
  mutating func process(_ chunk: Data) -> Data {
    var bytes = unfinished
    bytes.append(chunk)
    let width = decoder.encoding.byteCount
    let wholeCount = bytes.count - bytes.count % width
    unfinished = Data(bytes[wholeCount...])
    bytes.removeSubrange(wholeCount...)
    bytes.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, to: wholeCount, by: block.capacity * width) {
        let end = min(start + block.capacity * width, wholeCount)
        render(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]), width)
      }
    }
    return bytes
  }

  private mutating func render(_ bytes: UnsafeMutableRawBufferPointer, _ width: Int) {
    block.frameCount = bytes.count / width
    decoder.decode(
      UnsafeRawBufferPointer(bytes), frameCount: block.frameCount, into: block.channels, from: 0)
    processor.process(block)
    encoder.encode(block.channels, from: 0, frameCount: block.frameCount, into: bytes)
  }
}
