internal import Foundation
public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Processes the sound of a pass-thru before it is delivered.
///
///     let passThru = AudioPassThru(processing: .session(session, ear: .left))
///
/// Chunks are decoded, processed and encoded. With a session, the output ceiling is lowered to the
/// range of the encoding, so amplified sound is limited instead of clipped. With the app's own
/// processors, samples beyond the range of the integers are clipped and counted. Each request has
/// its own processor, without state from earlier requests.
public struct PassThruProcessing: Sendable {
  /// A processor; the binding that makes it follow a session; and whether that session is enabled.
  /// The last two are nil without a session.
  typealias Bound = (
    processor: BandGainProcessor, binding: ProcessorBinding?, isEnabled: (@Sendable () -> Bool)?
  )

  let bound: @Sendable (ProcessingSpec) throws -> Bound

  /// Processes with the app's own processors.
  ///
  /// - Parameter processor: Called once per request with its sample rate and one channel; returns a
  ///   processor with exactly this spec that is not used elsewhere.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    bound = { (try processor($0), nil, nil) }
  }

  /// Processes with the values of a session, and follows their changes.
  ///
  /// - Parameters:
  ///   - session: Followed while a request runs.
  ///   - ear: The ear whose gains are applied.
  ///   - layout: The bands; those above half the request's rate are dropped.
  ///   - calibration: The level that samples represent.
  public static func session(
    _ session: ProcessingSession, ear: Ear, layout: BandLayout = .audiometric,
    calibration: Calibration = Calibration()
  ) -> PassThruProcessing {
    PassThruProcessing(bound: { spec in
      let carried = layout.limited(to: spec.sampleRate) ?? layout
      let processor = try BandGainProcessor(
        spec: spec, layout: carried, limiter: LimiterConfiguration(isLinked: true))
      let binding = session.bind(to: processor, ears: [ear], calibration: calibration)
      processor.reset()
      return (processor, binding, { session.isEnabled.value })
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
    return PassThruChain(bound, encoding: request.sampleSize.encoding)
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
  /// Limits the sound of an enabled session to the range of the encoding.
  private let limiter: BandGainProcessor?
  private let isEnabled: @Sendable () -> Bool
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  private let block = AudioBlock(channelCount: 1, capacity: 2_048)
  /// The bytes of an incomplete sample.
  private var unfinished = Data()

  init(_ bound: PassThruProcessing.Bound, encoding: SampleEncoding) {
    processor = bound.processor
    binding = bound.binding
    limiter = bound.isEnabled == nil ? nil : Self.limiter(like: bound.processor, encoding)
    isEnabled = bound.isEnabled ?? { false }
    decoder = SampleDecoder(encoding: encoding, channelCount: 1)
    encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
  }

  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Processes a chunk and returns the samples that are complete; may be empty.
  mutating func process(_ chunk: Data) -> Data {
    var bytes = unfinished
    bytes.append(chunk)
    let width = decoder.encoding.byteCount
    let wholeCount = bytes.count - bytes.count % width
    unfinished = Data(bytes[wholeCount...])
    bytes.removeSubrange(wholeCount...)
    // Unsafe: bytes of an array, within its bounds.
    unsafe bytes.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, to: wholeCount, by: block.capacity * width) {
        let end = min(start + block.capacity * width, wholeCount)
        unsafe render(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]), width)
      }
    }
    return bytes
  }

  /// A processor without gain whose ceiling is the largest sample of the encoding.
  private static func limiter(
    like processor: BandGainProcessor, _ encoding: SampleEncoding
  ) -> BandGainProcessor? {
    let calibration = Calibration()
    let ceiling = calibration.fullScaleSPL + 20 * log10(encoding.largestSample / 2.0.squareRoot())
    let gains = (0..<processor.spec.channelCount).map { _ in
      processor.layout.centers.map { _ in 0.0 }
    }
    guard let limiter = try? BandGainProcessor(spec: processor.spec, layout: processor.layout)
    else {
      return nil
    }
    try? limiter.apply(
      ProcessorSettings(gains: gains, outputCeiling: ceiling, calibration: calibration))
    limiter.reset()
    return limiter
  }

  private mutating func render(_ bytes: UnsafeMutableRawBufferPointer, _ width: Int) {
    block.frameCount = bytes.count / width
    unsafe decoder.decode(
      UnsafeRawBufferPointer(bytes), frameCount: block.frameCount, into: block.channels, from: 0)
    processor.process(block)
    if let limiter, isEnabled() { limiter.process(block) }
    unsafe encoder.encode(block.channels, from: 0, frameCount: block.frameCount, into: bytes)
  }
}
