import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing

/// Measures the listener's preset with test signals and writes a page with the results. The
/// measured processor gets its settings from a session, as in an app.
struct DataSheetJob {
  let options: RenderOptions
  let listener: RenderListener
  /// The path of the page.
  let path: String

  /// The sample rate in Hz.
  private static let sampleRate = 48_000.0

  func run() async throws -> DataSheet {
    let spec = ProcessingSpec(
      sampleRate: Self.sampleRate, channelCount: ListenerRendering.ears.count)
    let processor = try BandGainProcessor(
      spec: spec, layout: .audiometric, limiter: LimiterConfiguration(isLinked: true))
    let controller = ProcessingController()
    let session = try controller.activate(presetDataSource: listener.presetDataSource)
    defer { controller.deactivate() }
    let calibration = Calibration()
    let binding = session.bind(
      to: processor, ears: ListenerRendering.ears, calibration: calibration,
      allowsOutputAboveFullScale: true)
    let preset = try await listener.preset(of: session, options)
    _ = try await session.intensity.apply(options.intensity).get()
    _ = try await session.isEnabled.apply(true).get()
    let page = try StagedFile(for: path)
    let bar = ProgressBar(isEnabled: !options.isQuiet)
    bar.show(step: "Measuring the fitting with test signals")
    defer { bar.finish() }
    let percent = Int((options.intensity * 100).rounded())
    let sheet = DataSheet(
      listener: (options.audiogram.map { "Audiogram \($0)" } ?? "Preset \(options.listenerName)")
        + (options.intensity < 1 ? " with \(percent) % of each prescribed gain in dB" : ""),
      rule: preset.rule, sampleRate: Self.sampleRate,
      ears: DataSheetMeasurement(processor: processor, calibration: calibration).sheets(
        Ear.clinicalOrder.compactMap { ear in
          guard let channel = binding.ears.firstIndex(of: ear) else { return nil }
          return preset[ear].map { (ear, channel, $0) }
        }))
    guard !sheet.ears.isEmpty else {
      throw CommandFailure.badData(
        input: options.listenerName, reason: "no ear is known: there is nothing to measure")
    }
    try page.write(sheet.page)
    try page.commit()
    return sheet
  }
}
