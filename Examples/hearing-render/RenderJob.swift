import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing

/// Renders one file for a listener, the way an app would: a session is activated, a processor bound
/// to it, the preset loaded through the session, and the sound rendered through the processor.
struct RenderJob {
  private let options: RenderOptions
  private let listener: Listener
  private let reader: WAVReader

  /// Opens the input.
  init(_ options: RenderOptions, listener: Listener) throws {
    self.options = options
    self.listener = listener
    reader = try WAVReader(path: try options.input ?? Self.recording)
    guard reader.channelCount <= 2 else {
      throw RenderFailure.tooManyChannels(reader.channelCount)
    }
    guard ProcessingSpec.supportedSampleRates.contains(reader.sampleRate) else {
      throw RenderFailure.unsupportedRate(reader.format.sampleRate)
    }
  }

  private static let ceilingWithoutPreset = ProcessorSettings.defaultOutputCeiling

  /// Ten seconds of clear speech that come with the program.
  private static var recording: String {
    get throws {
      // `Bundle.module` would end the program if its bundle is not there.
      let folder = Bundle.main.bundleURL
      let bundles = ["resources", "bundle"].map { "HearingProcessing_hearing-render.\($0)" }
      let paths = bundles.map { folder.appendingPathComponent("\($0)/speech.wav").path }
      guard let path = paths.first(where: FileManager.default.fileExists) else {
        throw RenderFailure.missingRecording(folder: folder.path)
      }
      return path
    }
  }

  /// Renders, and says what was measured on the way.
  func run() async throws -> RenderSummary {
    let loudness = try measureLoudness()
    let processor = try makeProcessor()
    let controller = ProcessingController()
    let session = try controller.activate(presetDataSource: listener.presetDataSource)
    defer { controller.deactivate() }
    let calibration = Calibration(fullScaleSPL: loudness.fullScaleSPL)
    let binding = session.bind(to: processor, calibration: calibration)
    let preset = try await session.preset.reload().get()
    _ = try await session.intensity.apply(options.intensity).get()
    _ = try await session.isEnabled.apply(!options.isBypassed).get()

    let bands =
      options.isQuiet ? [] : measureBands(of: processor, preset, calibration, binding.ears)
    let ceilings = Ear.allCases.map { preset?[$0]?.maximumOutput ?? Self.ceilingWithoutPreset }
    let report = try options.reportPath.map { path throws(CommandFailure) in
      try StagedFile(for: path)
    }
    let sound = try render(
      through: processor, loudness, ceiling: ceilings.max() ?? Self.ceilingWithoutPreset)
    let summary = RenderSummary(
      options: options, format: reader.format, loudness: loudness, preset: preset, bands: bands,
      sound: sound, shortfall: reader.shortfall)
    if let report {
      try report.write(RenderReport(summary, profile: listener.profile).data)
      try report.commit()
    }
    return summary
  }

  /// Plays a tone at each band's centre, on the processor itself.
  private func measureBands(
    of processor: BandGainProcessor, _ preset: Preset?, _ calibration: Calibration, _ ears: [Ear?]
  ) -> [RenderSummary.Band] {
    let measurement = GainMeasurement(processor: processor, calibration: calibration)
    return processor.layout.centers.map { center in
      let level = Self.toneLevel(at: center, for: preset)
      return RenderSummary.Band(
        center: center, level: level,
        prescribed: ears.map { ear in
          ear.flatMap { preset?[$0] }?.gain(at: center, inputLevel: level)
        },
        measured: measurement.gains(at: center, level: level))
    }
  }

  /// The level in dB SPL at which a band is measured: that of conversation, or less where the ceiling
  /// would work on it.
  private static func toneLevel(at center: Double, for preset: Preset?) -> Double {
    let ears = Ear.allCases.compactMap { preset?[$0] }
    let levels = stride(from: 65.0, through: -60, by: -5)
    let level = levels.first { level in
      ears.allSatisfy { $0.gain(at: center, inputLevel: level) + level + 3 <= $0.maximumOutput }
    }
    return level ?? -60
  }

  private func makeProcessor() throws -> BandGainProcessor {
    let spec = ProcessingSpec(sampleRate: reader.sampleRate, channelCount: 2)
    guard let layout = BandLayout.audiometric.limited(to: reader.sampleRate) else {
      throw RenderFailure.unsupportedRate(reader.format.sampleRate)
    }
    return try BandGainProcessor(
      spec: spec, layout: layout,
      limiter: LimiterConfiguration(lookAhead: OfflineRenderer.lookAhead, isLinked: true))
  }

  /// Finds out which level the samples stand for; a file is read through for that, a stream is not.
  private func measureLoudness() throws -> Loudness {
    let calibration = options.calibration ?? .conversation
    if case .fullScaleSPL(let level) = calibration {
      return Loudness(fullScaleSPL: level, origin: .given)
    }
    guard reader.isSeekable else {
      guard options.calibration == nil else { throw RenderFailure.levelOfStream }
      return Loudness(
        fullScaleSPL: InputCalibration.uncalibratedFullScaleSPL, origin: .unknownStream)
    }
    let reading = try measureActiveLevel()
    try reader.seek(toFrame: 0)
    let level = calibration.fullScaleSPL(of: reading)
    guard ProcessorSettings.supportedFullScales.contains(level) else {
      throw RenderFailure.levelOutOfRange(activeLevel: reading?.activeLevel ?? 0)
    }
    return Loudness(
      fullScaleSPL: level, origin: reading.map { .measured($0) } ?? .nothingActive)
  }

  private func measureActiveLevel() throws -> ActiveSpeechLevel.Reading? {
    do {
      return try ActiveSpeechLevel.measure(
        reader, isCancelled: { StopSignals.haveArrived }
      ).reading
    } catch is CancellationError {
      throw OfflineRenderer.RenderError.cancelled(frameCount: 0)
    }
  }

  private func render(
    through processor: BandGainProcessor, _ loudness: Loudness, ceiling: Double
  ) throws -> RenderSummary.Sound {
    let scaling =
      options.isBypassed
      ? OutputScaling.unchanged(fullScaleSPL: loudness.fullScaleSPL)
      : OutputScaling(
        encoding: options.encoding, ceilingSPL: ceiling, fullScaleSPL: loudness.fullScaleSPL)
    let writer = try WAVWriter(
      path: options.output,
      format: WAVFormat(
        sampleRate: reader.format.sampleRate, channelCount: 2, encoding: options.encoding),
      gain: scaling.gain)
    let trace = try options.tracePath.map { path throws(CommandFailure) in
      try LevelTrace(path: path, centers: processor.layout.centers)
    }
    var observation = try RenderObservation(
      of: processor, isBypassed: options.isBypassed,
      calibration: Calibration(fullScaleSPL: loudness.fullScaleSPL), trace: trace,
      areSpectraWanted: options.reportPath != nil)
    let bar = ProgressBar(isWanted: !options.isQuiet)
    let progress = try OfflineRenderer(blockSize: options.blockSize).render(
      from: DelayedSource(reader, frameCount: processor.latency),
      to: AdvancedSink(writer, frameCount: processor.latency),
      channelMap: .bothEars(of: reader.channelCount),
      progress: bar.show, isCancelled: { StopSignals.haveArrived }
    ) { channels, frameCount in
      try observation.process(channels, frameCount: frameCount)
    }
    try trace?.finish()
    return RenderSummary.Sound(
      scaling: scaling, input: observation.input.readings, output: observation.output.readings,
      clippedSampleCount: writer.clippedSampleCount, levels: processor.levels, progress: progress,
      spectra: observation.spectra)
  }
}
