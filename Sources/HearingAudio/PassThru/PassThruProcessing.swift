public import HearingDSP
public import HearingFitting
public import HearingProcessing

/// How the sound of a pass-thru is processed before anybody hears it.
///
///     let passThru = AudioPassThru(processing: .session(session, ear: .left))
///
/// Chunks are decoded, processed and encoded again; what exceeds the integers is clipped and
/// counted. Each request gets a processor of its own, so that nothing of an earlier one is heard.
public struct PassThruProcessing: Sendable {
  typealias Bound = (processor: BandGainProcessor, binding: ProcessorBinding?)

  let bound: @Sendable (ProcessingSpec) throws -> Bound

  /// Processing by an app's own processors.
  ///
  /// - Parameter processor: Called once for each request with its rate and one channel; returns a
  ///   processor for exactly these that nobody else renders with.
  public init(_ processor: @escaping @Sendable (ProcessingSpec) throws -> BandGainProcessor) {
    bound = { (try processor($0), nil) }
  }

  /// Processing by what a session has in force, and puts in force meanwhile.
  ///
  /// - Parameters:
  ///   - session: Followed while a request runs.
  ///   - ear: Whose gains the one channel gets.
  ///   - layout: The bands; those that the request's rate cannot carry are left out.
  ///   - calibration: Which level a digital signal stands for.
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
      return (processor, binding)
    })
  }

  private init(bound: @escaping @Sendable (ProcessingSpec) throws -> Bound) {
    self.bound = bound
  }

  /// A processor for a request, in its first state.
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
        reason: "the processor is built for \(bound.processor.spec), not for \(spec)")
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
