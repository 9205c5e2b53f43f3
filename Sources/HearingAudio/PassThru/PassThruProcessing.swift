internal import Foundation
public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Processes the sound of a pass-thru before it is delivered.
///
///     let passThru = AudioPassThru(processing: .session(session, ear: .left))
///
/// Chunks are decoded, processed and encoded; samples beyond the range of the integers are clipped
/// and counted. Each request has its own processor, without any state of an earlier one.
public struct PassThruProcessing: Sendable {
  typealias Bound = (processor: BandGainProcessor, binding: ProcessorBinding?)

  let bound: @Sendable (ProcessingSpec) throws -> Bound

  /// Processes with the app's own processors.
  ///
  /// - Parameter processor: Called once per request with its sample rate and one channel; returns a
  ///   processor of exactly this spec that is used for nothing else.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    bound = { (try processor($0), nil) }
  }

  /// Processes with the values of a session, and follows their changes.
  ///
  /// - Parameters:
  ///   - session: Followed while a request runs.
  ///   - ear: The ear whose gains are applied.
  ///   - layout: The bands; those above half the request's rate are dropped.
  ///   - calibration: The level that samples stand for.
  public static func session(
    _ session: ProcessingSession, ear: Ear, layout: BandLayout = .audiometric,
    calibration: Calibration = Calibration()
  ) -> PassThruProcessing {
    PassThruProcessing(bound: { spec in
      let carried = layout.limited(to: spec.sampleRate) ?? layout
      let processor = try BandGainProcessor(spec: spec, layout: carried)
      let binding = session.bind(to: processor, ears: [ear], calibration: calibration)
      processor.reset()
      return (processor, binding)
    })
  }

  private init(bound: @escaping @Sendable (ProcessingSpec) throws -> Bound) {
    self.bound = bound
  }

  /// Creates the processing of one request.
  func chain(for request: AudioPassThruRequest) throws(AudioPassThruError) -> PassThruChain {
    let spec = ProcessingSpec(
      sampleRate: Double(request.samplingRate.rawValue), channelCount: 1)
    let bound: Bound
    do {
      bound = try self.bound(spec)
    } catch {
      throw .processingUnavailable(reason: "\(error)")
    }
    guard bound.processor.spec == spec else {
      throw .processingUnavailable(
        reason: "the processor has \(bound.processor.spec), the request needs \(spec)")
    }
    return PassThruChain(
      bound.processor, binding: bound.binding, encoding: request.sampleSize.encoding)
  }
}

extension AudioPassThruRequest.SampleSize {
  var encoding: SampleEncoding {
    switch self {
    case .bits8: .uint8
    case .bits16: .int16
    }
  }
}

/// Processes bytes that are divided into chunks anywhere.
struct PassThruChain {
  private let processor: BandGainProcessor
  /// Retained for the session's applicators.
  private let binding: ProcessorBinding?
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  private let block = AudioBlock(channelCount: 1, capacity: 2_048)
  /// The bytes of an incomplete sample.
  private var unfinished = Data()

  init(_ processor: BandGainProcessor, binding: ProcessorBinding?, encoding: SampleEncoding) {
    self.processor = processor
    self.binding = binding
    decoder = SampleDecoder(encoding: encoding, channelCount: 1)
    encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
  }

  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// The processed samples that are complete by now; may be empty.
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
