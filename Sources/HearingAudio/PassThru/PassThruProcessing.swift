public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// Processes the audio data of an ``AudioPassThru`` before the handler gets the data.
///
///     let passThru = AudioPassThru(processing: .session(session, ear: .left))
///
/// Each chunk of audio data is decoded, processed and encoded again. If a session controls the
/// processing, a limiter keeps the output within the range of the sample encoding. Therefore
/// amplified samples are not clipped. If the app creates the processors itself, samples beyond the
/// range of the encoding are clipped and counted. Each request has its own processor. Therefore
/// earlier requests do not affect the output of later requests.
public struct PassThruProcessing: Sendable {
  /// A processor, and the binding that applies the values of a session to the processor. If there
  /// is no session, `binding` is nil.
  typealias Bound = (processor: BandGainProcessor, binding: ProcessorBinding?)

  let bound: @Sendable (ProcessingSpec) throws -> Bound
}

extension PassThruProcessing {
  /// Processes the audio data with the app's own processors.
  ///
  /// - Parameter processor: Creates the processor of a request. The closure is called once per
  ///   request, with the request's sample rate and one channel. The processor must have this sample
  ///   rate, one channel and no latency. Therefore the limiter must have no look-ahead. If the
  ///   processor is not suitable, the request fails. Use each processor for one request only.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    self.init(bound: { (try processor($0), nil) })
  }

  /// Processes the audio data with the values of a session. During a request, changes of the
  /// session's values are applied.
  ///
  /// - Parameters:
  ///   - session: The session that supplies the values while a request is running.
  ///   - ear: The ear for which the audio data are processed.
  ///   - layout: The frequency bands. Bands with a centre frequency at or above 0.45 times the
  ///     request's sampling rate are removed.
  ///   - calibration: The sound pressure level that an RMS of 1.0 represents. If `calibration` is
  ///     nil, the session's latest audio route determines the level.
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
    let spec = ProcessingSpec(sampleRate: Double(request.samplingRate.rawValue), channelCount: 1)
    let bound: Bound
    do {
      bound = try self.bound(spec)
    } catch {
      throw .processingUnavailable(reason: "\(error)")
    }
    // If the processor had a latency, the last frames of a request would be lost.
    guard bound.processor.spec == spec, bound.processor.latency == 0 else {
      throw .processingUnavailable(
        reason: "the processor has \(bound.processor.spec) and a latency of "
          + "\(bound.processor.latency) frames, the request needs \(spec) without latency")
    }
    if let binding = bound.binding {
      binding.setLargestSample(request.encoding.largestSample)
      bound.processor.reset()
    }
    return bound
  }
}
