internal import HearingAudio
internal import HearingDSP
internal import HearingFitting

/// One rendering of a mix stem for a listener.
struct PreviewRendering {
  private let preview: PersonalisedPreview
  private let reader: WAVReader
  private let settings: ProcessorSettings
  private let processor: BandGainProcessor

  private static let ears: [Ear?] = [.left, .right]

  /// Filters ring for a fraction of this.
  private static let leastSettlingSeconds = 1.0
  /// After so many time constants, 3 · 10⁻⁷ of a detector's state is left.
  private static let settlingTimeConstants = 15.0

  /// Finds the level that the samples stand for, and prepares the processor.
  ///
  /// - Parameter isCancelled: Asked often while the level is being measured.
  init(
    _ preview: PersonalisedPreview, reader: WAVReader, _ isCancelled: () -> Bool
  ) throws {
    guard PersonalisedPreview.channelCounts.contains(reader.channelCount) else {
      throw PersonalisedPreview.Failure.tooManyChannels(reader.channelCount)
    }
    guard ProcessingSpec.supportedSampleRates.contains(reader.sampleRate),
      let layout = BandLayout.audiometric.limited(to: reader.sampleRate)
    else { throw PersonalisedPreview.Failure.unsupportedSampleRate(reader.format.sampleRate) }
    self.preview = preview
    self.reader = reader
    let level = try Self.fullScaleSPL(of: reader, preview.calibration, isCancelled)
    settings = try ProcessorSettings(
      preset: preview.preset, layout: layout, ears: Self.ears,
      calibration: Calibration(fullScaleSPL: level))
    processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: reader.sampleRate, channelCount: Self.ears.count),
      layout: layout,
      limiter: LimiterConfiguration(lookAhead: OfflineRenderer.lookAhead, isLinked: true))
    try processor.apply(settings)
    processor.reset()
  }

  /// Renders to the file at `path`.
  func run(
    to path: String, loop: LoopMarkers?, _ progress: (Double) -> Void,
    _ isCancelled: () -> Bool
  ) throws {
    let calibration = settings.calibration
    let scaling = OutputScaling(
      encoding: preview.encoding,
      ceilingSPL: settings.outputCeilings.max() ?? ProcessorSettings.defaultOutputCeiling,
      fullScaleSPL: calibration.fullScaleSPL)
    let format = WAVFormat(
      sampleRate: reader.format.sampleRate, channelCount: Self.ears.count,
      encoding: preview.encoding)
    let writer = try WAVWriter(path: path, format: format, gain: scaling.gain)
    guard let loop, let frames = frames(of: loop) else {
      return try render(from: reader, to: writer, progress, isCancelled)
    }
    let source = try LoopedSource(
      reader, loop: frames, settlingFrameCount: Int(settlingSeconds * reader.sampleRate))
    let peaks = settings.outputCeilings.map { Float(calibration.peakAmplitude(ofSineAt: $0)) }
    let sink = LoopedSink(writer, source: source, peaks: peaks)
    try render(from: source, to: sink, progress, isCancelled)
  }

  private func render(
    from source: some FrameSource, to sink: some FrameSink, _ progress: (Double) -> Void,
    _ isCancelled: () -> Bool
  ) throws {
    let processor = processor
    try withoutActuallyEscaping(progress) { progress in
      _ = try OfflineRenderer().render(
        from: DelayedSource(source, frameCount: processor.latency),
        to: AdvancedSink(sink, frameCount: processor.latency), channelMap: .bothEars(of: source.channelCount),
        progress: { progress($0.fraction ?? 0) }, isCancelled: isCancelled
      ) { channels, frameCount in
        processor.process(channels, frameCount: frameCount)
      }
    }
  }

  /// How long the loop is played before it counts.
  private var settlingSeconds: Double {
    let times = Ear.allCases.compactMap { preview.preset[$0] }
      .flatMap { $0.attackTimes + $0.releaseTimes }
    return max(Self.leastSettlingSeconds, Self.settlingTimeConstants * (times.max() ?? 0))
  }

  /// The frames between the markers, each rounded to the nearest; nil if there are none.
  private func frames(of loop: LoopMarkers) -> Range<Int>? {
    let count = reader.frameCount ?? 0
    func frame(_ microseconds: Int64) -> Int {
      min(count, Int((Double(microseconds) * reader.sampleRate / 1_000_000).rounded()))
    }
    let frames = frame(loop.start)..<frame(loop.end)
    return frames.isEmpty ? nil : frames
  }

  private static func fullScaleSPL(
    of reader: WAVReader, _ calibration: InputCalibration, _ isCancelled: () -> Bool
  ) throws -> Double {
    let level: Double
    if case .fullScaleSPL(let given) = calibration {
      level = given
    } else {
      let reading = try ActiveSpeechLevel.measure(reader, isCancelled: isCancelled).reading
      level = calibration.fullScaleSPL(of: reading)
      try reader.seek(toFrame: 0)
    }
    guard ProcessorSettings.supportedFullScales.contains(level) else {
      throw PersonalisedPreview.Failure.levelOutOfRange(level)
    }
    return level
  }
}
