public import HearingDSP
public import HearingFitting

/// Renders a WAV recording for the two ears of a listener.
///
///     let rendering = try ListenerRendering(of: WAVReader(path: "in.wav"))
///     try rendering.apply(preset)
///     let scaling = rendering.scaling(encoding: .int16, for: preset)
///     let writer = try rendering.makeWriter(path: "out.wav", encoding: .int16, scaling: scaling)
///     try rendering.render(from: rendering.reader, to: writer)
///
/// The limiter reduces the level of both ears by the same amount. By default, the limiter has a
/// look-ahead of 2 ms. The latency of the look-ahead is removed during rendering. Therefore the
/// output has no latency.
///
/// The initializer checks the recording, determines the calibration of the recording, and creates
/// the processor. A mono recording is rendered for both ears. For a stereo recording, the left
/// channel is rendered for the left ear and the right channel for the right ear.
///
/// If the app has a session, bind the session to the processor, and do not call ``apply(_:)``:
/// `session.bind(to: rendering.processor, calibration: rendering.calibration,
/// allowsOutputAboveFullScale: true)`.
///
/// The thread that renders also reads the recording from a file or a pipe. Therefore do not use a
/// `ListenerRendering` for live audio.
public struct ListenerRendering {
  /// The reader of the recording. After initialization, the reader is at the first frame of the
  /// recording.
  public let reader: WAVReader

  /// The processor for the recording. The processor has one channel for each of ``ears``.
  public let processor: BandGainProcessor

  /// The sound pressure level that an RMS of 1.0 represents in the recording.
  public let calibration: Calibration

  /// The active speech level of the recording in dB relative to an RMS of 1.0. Nil if the level was
  /// not measured, or if there is no active speech.
  public let activeLevel: Double?

  /// For each channel of the processor, the ear that hears the channel.
  public static let ears: [Ear?] = [.left, .right]

  /// Prepares the rendering of a recording.
  ///
  /// - Parameters:
  ///   - reader: The reader of a mono or stereo recording. The reader must be at the first frame.
  ///   - inputCalibration: The calibration of the recording. If `inputCalibration` is nil, a file
  ///     has the calibration ``InputCalibration/conversation``, and a stream has the calibration
  ///     ``InputCalibration/uncalibratedFullScaleSPL``. For a calibration with an active speech
  ///     level, the initializer reads the whole file once to measure the level. The memory use of
  ///     the measurement does not depend on the length of the file.
  ///   - lookAhead: The look-ahead of the limiter in seconds, within
  ///     `LimiterConfiguration.supportedLookAheads`. Use 0 for a recording that is played in a
  ///     loop. With a look-ahead of 0, there is no gap between the end and the start of the
  ///     recording.
  ///   - isCancelled: A closure that is called often during the measurement of the active speech
  ///     level. If the closure returns true, the measurement stops.
  public init(
    of reader: WAVReader, calibration inputCalibration: InputCalibration? = nil,
    lookAhead: Double = OfflineRenderer.lookAhead, isCancelled: () -> Bool = { false }
  ) throws(RenderingError) {
    guard reader.channelCount <= Self.ears.count else {
      throw .tooManyChannels(reader.channelCount)
    }
    guard ProcessingSpec.supportedSampleRates.contains(reader.sampleRate),
      let layout = BandLayout.audiometric.limited(to: reader.sampleRate)
    else { throw .unsupportedSampleRate(reader.format.sampleRate) }
    self.reader = reader
    let inputCalibration =
      inputCalibration
      ?? (reader.isSeekable
        ? .conversation : .fullScaleSPL(InputCalibration.uncalibratedFullScaleSPL))
    activeLevel = try Self.activeLevel(of: reader, for: inputCalibration, isCancelled)
    let fullScaleSPL = inputCalibration.fullScaleSPL(activeLevel: activeLevel)
    guard ProcessorSettings.supportedFullScales.contains(fullScaleSPL) else {
      throw .levelOutOfRange(fullScaleSPL: fullScaleSPL)
    }
    calibration = Calibration(fullScaleSPL: fullScaleSPL)
    let spec = ProcessingSpec(sampleRate: reader.sampleRate, channelCount: Self.ears.count)
    do {
      processor = try BandGainProcessor(
        spec: spec, layout: layout,
        limiter: LimiterConfiguration(lookAhead: lookAhead, isLinked: true))
    } catch {
      preconditionFailure("no processor for the supported \(spec): \(error)")
    }
  }

  /// Applies a preset, and resets the processor.
  public func apply(_ preset: Preset?) throws(RenderingError) {
    do {
      var settings = try ProcessorSettings(
        preset: preset, layout: processor.layout, ears: Self.ears, calibration: calibration)
      // The writer attenuates the samples. Therefore the processor's output may exceed full scale.
      settings.allowsOutputAboveFullScale = true
      try processor.apply(settings)
    } catch {
      throw .unsuitablePreset(reason: "\(error)")
    }
    processor.reset()
  }

  /// Creates the output file. The file has two channels and the sample rate of the recording.
  /// `scaling` attenuates the output.
  ///
  /// - Parameters:
  ///   - path: The path at which the complete file appears.
  ///   - encoding: The format in which samples are stored.
  ///   - scaling: The attenuation, usually from ``scaling(encoding:for:keepsScale:)``.
  public func makeWriter(
    path: String, encoding: SampleEncoding, scaling: OutputScaling
  ) throws(FileAccessError) -> WAVWriter {
    let format = WAVFormat(
      sampleRate: reader.format.sampleRate, channelCount: Self.ears.count, encoding: encoding)
    return try WAVWriter(path: path, format: format, gain: scaling.gain)
  }

  /// Computes an attenuation for a preset. The attenuation prevents clipping of the output in any
  /// player, and is suitable for every recording.
  ///
  /// - Parameters:
  ///   - encoding: The format in which samples are stored.
  ///   - preset: The preset of the listener. The processor limits every sample to the maximum
  ///     output of the preset.
  ///   - keepsScale: Whether floating-point samples beyond ±1.0 are stored unchanged.
  public func scaling(
    encoding: SampleEncoding, for preset: Preset?, keepsScale: Bool = false
  ) -> OutputScaling {
    let ceilings = Ear.allCases.map {
      preset?[$0]?.maximumOutput ?? ProcessorSettings.defaultOutputCeiling
    }
    return OutputScaling(
      encoding: encoding, ceilingSPL: ceilings.reduce(-.infinity, max),
      fullScaleSPL: calibration.fullScaleSPL, keepsScale: keepsScale)
  }

  /// Measures the attenuation that prevents clipping of this recording's output in any player.
  ///
  /// If the unprocessed recording has samples beyond ±1.0, the attenuation also prevents clipping
  /// of the unprocessed recording. Some recordings contain invalid samples, which are too large to
  /// be sound. The processor replaces invalid samples with silence. If the recording contains an
  /// invalid sample, the method ignores the peak of the unprocessed recording.
  ///
  /// The method renders the recording without an output file. When the method returns or throws,
  /// the reader is at the start of the recording. The method ``scaling(encoding:for:keepsScale:)``
  /// does not render the recording. The attenuation from that method is valid for every recording.
  /// Therefore that attenuation is usually larger than the measured attenuation.
  ///
  /// Before you call `measuredScaling`, apply the settings for the rendering to the processor.
  /// `measuredScaling` resets the processor.
  ///
  /// - Parameters:
  ///   - encoding: The format in which samples are stored.
  ///   - isCancelled: A closure that is called often during the measurement. If the closure returns
  ///     true, or if the current task is cancelled, the measurement stops.
  /// - Returns: The scaling. Nil if the recording is a stream, because a stream cannot be read
  ///   twice.
  /// - Throws: The errors of `OfflineRenderer.render`.
  public func measuredScaling(
    encoding: SampleEncoding, isCancelled: () -> Bool = { false }
  ) throws -> OutputScaling? {
    guard reader.isSeekable else { return nil }
    var meters = Array(repeating: LevelMeter(channelCount: Self.ears.count), count: 2)
    defer { processor.reset() }
    try Self.rewinding(reader) {
      // Unsafe: the rows are valid during the call of the closure.
      try unsafe render(from: reader, to: DiscardingSink(), isCancelled: isCancelled) {
        unsafe meters[0].add($0, frameCount: $1)
        unsafe processor.process($0, frameCount: $1)
        unsafe meters[1].add($0, frameCount: $1)
      }
    }
    var peaks = meters.map { $0.readings.map(\.peak).max() ?? 0 }
    if peaks[0] <= 1 || peaks[0] > calibration.maximumInput { peaks.removeFirst() }
    return OutputScaling(
      encoding: encoding, peak: peaks.max() ?? 0, fullScaleSPL: calibration.fullScaleSPL)
  }

  /// Writes the unprocessed recording to a sink. When the method returns or throws, the reader is
  /// at the start of the recording. Write the processed recording with the same scaling, so that a
  /// listener can compare the two recordings without changing the volume.
  ///
  /// - Parameters:
  ///   - sink: A sink with two channels. Usually, the sink is a writer with the scaling of the
  ///     processed recording. This method finishes the sink.
  ///   - isCancelled: A closure that is called often during the writing. If the closure returns
  ///     true, or if the current task is cancelled, the writing stops.
  /// - Throws: The errors of `OfflineRenderer.render`, and ``WAVReadError/notSeekable`` if the
  ///   recording is a stream.
  public func copyOriginal(
    to sink: some FrameSink, isCancelled: () -> Bool = { false }
  ) throws {
    try reader.seek(toFrame: 0)
    try Self.rewinding(reader) {
      // Unsafe: the closure does not access the rows.
      try unsafe OfflineRenderer().render(
        from: reader, to: sink, channelMap: Self.channelMap(of: reader),
        isCancelled: isCancelled
      ) { _, _ in }
    }
  }

  /// Renders all remaining frames of a source and finishes the sink.
  ///
  /// - Parameters:
  ///   - source: The source of the frames, usually ``reader``.
  ///   - sink: A sink with two channels, usually a writer from
  ///     ``makeWriter(path:encoding:scaling:)``.
  ///   - blockSize: The number of frames in a block, 1…65536.
  ///   - progress: A closure that receives progress reports. The closure is called on the thread
  ///     that calls `render`, at most 20 times a second, and once at the end.
  ///   - isCancelled: A closure that is called often during rendering. If the closure returns true,
  ///     or if the current task is cancelled, the rendering stops.
  ///   - process: A closure that processes each block. If the closure is nil, the processor
  ///     processes each block. For example, a closure can process a block with the processor and
  ///     also measure the block.
  /// - Returns: The last progress report.
  /// - Throws: The errors of `OfflineRenderer.render`. After an error, the output of the sink is
  ///   discarded.
  @discardableResult
  public func render(
    from source: some FrameSource, to sink: some FrameSink, blockSize: Int = 512,
    progress: ((RenderProgress) -> Void)? = nil, isCancelled: () -> Bool = { false },
    process: ((UnsafePointer<UnsafeMutablePointer<Float>>, Int) throws -> Void)? = nil
  ) throws -> RenderProgress {
    // Unsafe: passes the rows of a block to `process`.
    try unsafe OfflineRenderer(blockSize: blockSize).render(
      from: source, to: sink, channelMap: Self.channelMap(of: source), latency: processor.latency,
      progress: progress, isCancelled: isCancelled, process: process ?? processor.process)
  }

  /// Runs `body`, and then seeks to the start of the recording. The function also seeks if `body`
  /// throws an error.
  @discardableResult
  private static func rewinding<Value>(
    _ reader: WAVReader, _ body: () throws -> Value
  ) throws -> Value {
    let result = Result { try body() }
    let seeking = Result { try reader.seek(toFrame: 0) }
    // If `body` and the seek operation both fail, this line throws the error of `body`.
    let value = try result.get()
    try seeking.get()
    return value
  }

  /// For each ear, the index of the source's channel that the ear hears. If the source is mono,
  /// both ears hear channel 0.
  private static func channelMap(of source: some FrameSource) -> [Int] {
    source.channelCount == 1 ? [0, 0] : [0, 1]
  }

  private static func activeLevel(
    of reader: WAVReader, for calibration: InputCalibration, _ isCancelled: () -> Bool
  ) throws(RenderingError) -> Double? {
    guard case .activeLevelSPL = calibration else { return nil }
    guard reader.isSeekable else { throw .levelOfStream }
    do {
      return try rewinding(reader) {
        try ActiveSpeechLevel.measure(reader, isCancelled: isCancelled).reading?.activeLevel
      }
    } catch let error as WAVReadError {
      throw .unreadable(error)
    } catch {
      throw .cancelled(frameCount: 0)
    }
  }
}

/// A sink that discards the samples.
private final class DiscardingSink: FrameSink {
  let channelCount = ListenerRendering.ears.count

  func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {}

  func finish() {}

  func abandon() {}
}
