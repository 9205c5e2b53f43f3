internal import Foundation
public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Processes the audio data of an ``AudioPassThru`` before the data are delivered.
///
///     let passThru = AudioPassThru(processing: .session(session, ear: .left))
///
/// Chunks are decoded, processed and encoded. With a session, a limiter keeps the output within the
/// range of the encoding, so that amplified samples are not clipped. With the app's own processors,
/// samples beyond this range are clipped and counted. Each request has its own processor, so
/// earlier requests do not affect the output.
public struct PassThruProcessing: Sendable {
  /// A processor, the binding that makes the processor follow a session, and a closure that returns
  /// whether the session is enabled. Without a session, `binding` and `isEnabled` are nil.
  typealias Bound = (
    processor: BandGainProcessor, binding: ProcessorBinding?, isEnabled: (@Sendable () -> Bool)?
  )

  let bound: @Sendable (ProcessingSpec) throws -> Bound
}

extension PassThruProcessing {
  /// Processes the audio data with the app's own processors.
  ///
  /// - Parameter processor: Creates the processor of a request. The closure is called once per
  ///   request, with the request's sample rate and one channel. The processor must have exactly
  ///   this sample rate and one channel, and must not be used elsewhere.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    self.init(bound: { (try processor($0), nil, nil) })
  }

  /// Processes the audio data with the values of a session, and follows changes of these values.
  ///
  /// - Parameters:
  ///   - session: The session to follow while a request is running.
  ///   - ear: The ear whose gains are applied.
  ///   - layout: The bands. Bands at or above 0.45 times the request's sampling rate are removed.
  ///   - calibration: The sound pressure level that samples represent. If nil, the session's latest
  ///     route supplies the calibration.
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

  /// Creates the processing chain of one request.
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
    return PassThruChain(bound, encoding: request.sampleSize == .bits8 ? .uint8 : .int16)
  }
}

/// Processes chunks of bytes. A chunk may end anywhere, even within a sample.
final class PassThruChain {
  /// The binding is retained so that the processor follows the session.
  private let bound: PassThruProcessing.Bound
  /// Limits the output to the range of the encoding while the session is enabled.
  private let limiter: BandGainProcessor?
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  /// The bytes of an incomplete sample.
  private var unfinished = Data()

  init(_ bound: PassThruProcessing.Bound, encoding: SampleEncoding) {
    self.bound = bound
    limiter = bound.isEnabled == nil ? nil : Self.limiter(like: bound.processor, encoding)
    decoder = SampleDecoder(encoding: encoding, channelCount: 1)
    encoder = SampleEncoder(encoding: encoding, channelCount: 1, gain: 1)
  }

  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Processes a chunk, and returns all complete samples. The result is empty if no sample is
  /// complete yet.
  func process(_ chunk: Data) -> Data {
    let width = decoder.encoding.byteCount
    var bytes = [UInt8](unfinished + chunk)
    unfinished = Data(bytes.suffix(bytes.count % width))
    bytes.removeLast(unfinished.count)
    let block = AudioBlock(channelCount: 1, capacity: bytes.count / width)
    block.frameCount = block.capacity
    // Unsafe: the block has one frame for each sample in `bytes`.
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe decoder.decode(
        UnsafeRawBufferPointer(bytes), frameCount: block.frameCount, into: block.channels, from: 0)
      bound.processor.process(block)
      if let limiter, bound.isEnabled?() == true { limiter.process(block) }
      unsafe encoder.encode(block.channels, from: 0, frameCount: block.frameCount, into: bytes)
    }
    return Data(bytes)
  }

  /// Creates a processor that only limits. The output ceiling is the largest sample that `encoding`
  /// can store.
  private static func limiter(
    like processor: BandGainProcessor, _ encoding: SampleEncoding
  ) -> BandGainProcessor? {
    let calibration = Calibration()
    let ceiling =
      calibration.fullScaleSPL
      + CMath.decibels(amplitude: encoding.largestSample / 2.0.squareRoot())
    let gains = [processor.layout.centers.map { _ in 0.0 }]
    let limiter = try? BandGainProcessor(spec: processor.spec, layout: processor.layout)
    try? limiter?.apply(
      ProcessorSettings(gains: gains, outputCeiling: ceiling, calibration: calibration))
    limiter?.reset()
    return limiter
  }
}
