import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing

/// Renders one file for a listener in the same way as an app.
///
/// The job activates a session, which loads the preset. A processor gets its settings from the
/// session and renders the sound.
struct RenderJob {
  private let options: RenderOptions
  private let listener: RenderListener
  private let rendering: ListenerRendering
  private let headphone: HeadphoneCorrection?
  private let bar: ProgressBar

  /// Opens the input. If the input is a file and no full-scale level is given, also reads the whole
  /// file once to measure the level of its speech without the pauses (the active level).
  init(_ options: RenderOptions, listener: RenderListener) throws {
    self.options = options
    self.listener = listener
    let bar = ProgressBar(isEnabled: !options.isQuiet)
    self.bar = bar
    defer { bar.finish() }
    headphone = try options.headphonePath.map { path throws(CommandFailure) in
      try HeadphoneCorrection(argument: path)
    }
    let reader = try WAVReader(path: try options.input ?? Self.recording)
    bar.show(step: "Measuring the level of the recording")
    do {
      rendering = try ListenerRendering(
        of: reader, calibration: options.calibration, isCancelled: { StopSignals.haveArrived })
    } catch {
      switch error {
      case .unreadable(let error): throw error
      case .cancelled: throw error
      default: throw RenderFailure.recording(error)
      }
    }
  }

  /// The path of the embedded recording: 11 s of clear speech.
  private static var recording: String {
    get throws {
      // `Bundle.module` is not used, because it ends the program if its bundle is missing.
      let folder = Bundle.main.bundleURL
      let bundles = ["resources", "bundle"].map { "HearingProcessing_hearing-render.\($0)" }
      let paths = bundles.map { folder.appendingPathComponent("\($0)/speech.wav").path }
      guard let path = paths.first(where: FileManager.default.fileExists) else {
        throw RenderFailure.missingRecording(folder: folder.path)
      }
      return path
    }
  }

  /// Renders the file and returns the measurements.
  func run() async throws -> RenderSummary {
    defer { bar.finish() }
    let processor = rendering.processor
    let controller = ProcessingController()
    let session = try controller.activate(presetDataSource: listener.presetDataSource)
    defer { controller.deactivate() }
    let calibration = rendering.calibration
    let binding = session.bind(
      to: processor, calibration: calibration, allowsOutputAboveFullScale: true)
    let preset = try await listener.preset(of: session, options)
    _ = try await session.intensity.apply(options.intensity).get()
    _ = try await session.isEnabled.apply(!options.isBypassed).get()

    let bands =
      options.isQuiet
      ? [] : measureBands(of: processor, preset.fineTuned, calibration, binding.ears)
    // The correction is set after the measurement, so that the measured gains contain only the
    // gains for the listener.
    binding.headphone = headphone
    let report = try options.reportPath.map { path throws(CommandFailure) in
      try StagedFile(for: path)
    }
    let scaling = try scaling(for: preset)
    let writer = try rendering.makeWriter(
      path: options.output, encoding: options.encoding, scaling: scaling)
    let comparison = try options.comparisonPath.map { path in
      try writeComparison { try writeOriginal(to: path, scaling) }
    }
    let trace = try options.tracePath.map { path throws(CommandFailure) in
      try LevelTrace(path: path, centers: processor.layout.centers)
    }
    let sound = try render(to: writer, scaling: scaling, trace: trace)
    let summary = RenderSummary(
      options: options, format: rendering.reader.format, fullScale: fullScale, preset: preset,
      bands: bands, sound: sound,
      clippedComparisonSampleCount: comparison?.clippedSampleCount ?? 0,
      shortfall: rendering.reader.shortfallText)
    // No file appears at its path before all files are complete.
    if let report { try report.write(RenderReport(summary, listener).data) }
    try trace?.flush()
    if let comparison { try writeComparison(comparison.finish) }
    try writer.finish()
    try trace?.commit()
    try report?.commit()
    return summary
  }

  /// The scaling of the output samples.
  ///
  /// If the command line contains an attenuation, this attenuation is used. If processing is
  /// bypassed and there is no headphone correction, the output is not scaled. In all other cases,
  /// the output is attenuated so that it does not clip. A file is attenuated as much as its
  /// rendered sound needs. A stream is attenuated as much as the loudest possible sound needs.
  private func scaling(for preset: Preset) throws -> OutputScaling {
    let fullScale = rendering.calibration.fullScaleSPL
    if let attenuation = options.attenuation {
      return OutputScaling(attenuation: attenuation, fullScaleSPL: fullScale)
    }
    if options.leavesSoundUnchanged { return .unchanged(fullScaleSPL: fullScale) }
    bar.show(step: "Finding the highest rendered sample")
    let measured =
      options.keepsScale
      ? nil
      : try rendering.measuredScaling(
        encoding: options.encoding, isCancelled: { StopSignals.haveArrived })
    return measured
      ?? rendering.scaling(
        encoding: options.encoding, for: preset, keepsScale: options.keepsScale)
  }

  /// Runs `write`. If the file for the unprocessed sound cannot be written, the error contains the
  /// path of this file.
  private func writeComparison<Value>(_ write: () throws -> Value) throws -> Value {
    do {
      return try write()
    } catch let error as FileAccessError {
      throw CommandFailure(error, writing: options.comparisonPath ?? error.path)
    }
  }

  /// Writes the unprocessed sound with the scaling of the output. The caller commits the file.
  private func writeOriginal(to path: String, _ scaling: OutputScaling) throws -> WAVWriter {
    guard rendering.reader.isSeekable else { throw RenderFailure.comparisonOfStream }
    bar.show(step: "Writing \(path.singleLine(limit: 60))")
    let writer = try rendering.makeWriter(
      path: path, encoding: options.encoding, scaling: scaling)
    try rendering.copyOriginal(
      to: UnfinishedSink(writer), isCancelled: { StopSignals.haveArrived })
    return writer
  }

  /// Measures the processor's gain with a tone at the centre of each band.
  private func measureBands(
    of processor: BandGainProcessor, _ preset: Preset, _ calibration: Calibration, _ ears: [Ear?]
  ) -> [RenderSummary.Band] {
    bar.show(step: "Measuring the gain of each band")
    let measurement = GainMeasurement(processor: processor, calibration: calibration)
    return processor.layout.centers.map { center in
      let level = Self.toneLevel(at: center, for: preset)
      return RenderSummary.Band(
        center: center, level: level,
        prescribed: ears.map { ear in
          ear.flatMap { preset[$0] }?.gain(at: center, inputLevel: level)
        },
        measured: measurement.gains(at: center, level: level))
    }
  }

  /// The level of the test tone in dB SPL: 65, or less if the maximum output would limit a tone of
  /// 65 dB SPL.
  private static func toneLevel(at center: Double, for preset: Preset) -> Double {
    let ears = Ear.allCases.compactMap { preset[$0] }
    let levels = stride(from: 65.0, through: -60, by: -5)
    let level = levels.first { level in
      ears.allSatisfy { $0.gain(at: center, inputLevel: level) + level + 3 <= $0.maximumOutput }
    }
    return level ?? -60
  }

  /// The level of digital full scale, and how it was determined.
  private var fullScale: FullScaleLevel {
    let origin: FullScaleLevel.Origin =
      if case .fullScaleSPL = options.calibration {
        .given
      } else if !rendering.reader.isSeekable {
        .unknownStream
      } else if let level = rendering.activeLevel {
        .measured(activeLevel: level)
      } else {
        .nothingActive
      }
    return FullScaleLevel(level: rendering.calibration.fullScaleSPL, origin: origin)
  }

  /// Renders the sound. The caller finishes the files.
  private func render(
    to writer: WAVWriter, scaling: OutputScaling, trace: LevelTrace?
  ) throws -> RenderSummary.Sound {
    let processor = rendering.processor
    var observation = try RenderObservation(
      of: processor, isBypassed: options.isBypassed, calibration: rendering.calibration,
      trace: trace, measuresSpectra: options.reportPath != nil)
    let progress = try unsafe rendering.render(
      from: rendering.reader, to: UnfinishedSink(writer), blockSize: options.blockSize,
      progress: bar.show,
      isCancelled: { StopSignals.haveArrived }
    ) { channels, frameCount in
      try unsafe observation.process(channels, frameCount: frameCount)
    }
    return RenderSummary.Sound(
      scaling: scaling, input: observation.input.readings, output: observation.output.readings,
      frameCount: writer.frameCount, clippedSampleCount: writer.clippedSampleCount,
      hasNonFiniteSamples: observation.input.nonFiniteSampleCount > 0, levels: processor.levels,
      progress: progress,
      spectra: observation.spectra)
  }
}

/// The reason why a readable input cannot be rendered.
enum RenderFailure: Error, CustomStringConvertible {
  case recording(RenderingError)
  case missingRecording(folder: String)
  case comparisonOfStream

  var description: String {
    switch self {
    case .recording(let failure):
      switch failure {
      case .levelOfStream, .levelOutOfRange: "\(failure); set --full-scale-spl"
      default: failure.description
      }
    case .missingRecording(let folder):
      "the recording that comes with the program is not in \(folder)"
    case .comparisonOfStream:
      "a stream cannot be read a second time for --compare; save it in a file"
    }
  }
}
