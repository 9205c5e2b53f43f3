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
  /// A processor, and the binding that makes the processor follow a session. Without a session,
  /// `binding` is nil.
  typealias Bound = (processor: BandGainProcessor, binding: ProcessorBinding?)

  let bound: @Sendable (ProcessingSpec) throws -> Bound
}

extension PassThruProcessing {
  /// Processes the audio data with the app's own processors.
  ///
  /// - Parameter processor: Creates the processor of a request. The closure is called once per
  ///   request, with the request's sample rate and one channel. The processor must have exactly
  ///   this sample rate and one channel, and must not be used elsewhere.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    self.init(bound: { (try processor($0), nil) })
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
      return (processor, session.bind(to: processor, ears: [ear], calibration: calibration))
    })
  }

  /// Creates the processor of one request.
  func bound(for request: AudioPassThruRequest) throws(AudioPassThruError) -> Bound {
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
    if let binding = bound.binding {
      binding.setLargestSample(request.encoding.largestSample)
      bound.processor.reset()
    }
    return bound
  }
}
