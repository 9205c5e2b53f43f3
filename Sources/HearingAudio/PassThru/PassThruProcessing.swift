internal import Foundation
internal import HearingBuffers
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
  ///   - layout: The bands; bands at or above 0.45 of the request's sampling rate are
  ///     removed.
  ///   - calibration: The level that samples represent; nil: the calibration of the session's
  ///     latest route.
  public static func session(
    _ session: ProcessingSession, ear: Ear, layout: BandLayout = .audiometric,
    calibration: Calibration? = nil
  ) -> PassThruProcessing {
    PassThruProcessing(bound: { spec in
      let supported = layout.limited(to: spec.sampleRate) ?? layout
      let processor = try BandGainProcessor(
        spec: spec, layout: supported, limiter: LimiterConfiguration(isLinked: true))
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

/// Processes chunks of bytes, which may be divided anywhere.
final class PassThruChain {
  private let processor: BandGainProcessor
  /// Retained for the session's applicators.
  private let binding: ProcessorBinding?
  /// Limits the sound of an enabled session to the range of the encoding.
  private let limiter: BandGainProcessor?
  private let isEnabled: @Sendable () -> Bool
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  private let block = AudioBlock(channelCount: 1, capacity: 2_048)
  /// Stored samples: as many as the block has frames.
  private let stored: OwnedRow<UInt8>
  /// The bytes of an incomplete sample.
  private var unfinished = Data()

  init(_ bound: PassThruProcessing.Bound, encoding: SampleEncoding) {
    processor = bound.processor
    binding = bound.binding
    limiter = bound.isEnabled == nil ? nil : Self.limiter(like: bound.processor, encoding)
    isEnabled = bound.isEnabled ?? { false }
    decoder = SampleDecoder(encoding: encoding, channelCount: 1)
    encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
    stored = .filled(0, count: block.capacity * encoding.byteCount)
  }

  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Processes a chunk and returns the complete samples; may be empty.
  func process(_ chunk: Data) -> Data {
    var bytes = [UInt8](unfinished + chunk)
    let width = decoder.encoding.byteCount
    let wholeCount = bytes.count - bytes.count % width
    unfinished = Data(bytes[wholeCount...])
    bytes.removeLast(bytes.count - wholeCount)
    for start in stride(from: 0, to: wholeCount, by: stored.count) {
      let range = start..<min(start + stored.count, wholeCount)
      stored.row.copy([UInt8](bytes[range]))
      render(frameCount: range.count / width)
      bytes.replaceSubrange(range, with: range.map { stored[$0 - start] })
    }
    return Data(bytes)
  }

  /// Creates a processor without gain whose ceiling is the largest sample of the encoding.
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

  private func render(frameCount: Int) {
    block.frameCount = frameCount
    decoder.decode(stored.row, frameCount: frameCount, into: block.rows, from: 0)
    processor.process(block)
    if let limiter, isEnabled() { limiter.process(block) }
    encoder.encode(block.rows, from: 0, frameCount: frameCount, into: stored.row)
  }
}
