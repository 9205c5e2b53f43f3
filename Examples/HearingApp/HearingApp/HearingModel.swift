import Foundation
import HealthKit
import HearingAudio
import HearingDSP
import HearingFitting
import HearingProcessing
import HearingReport
import Observation

/// Connects the listener, the session and the audio chain.
@MainActor @Observable
final class HearingModel {
  private(set) var profile: HearingProfile?
  /// The result of a hearing test with headphones that are not calibrated. The app uses the result
  /// only after the listener agrees.
  var measured: HearingProfile?
  /// The HTML page that explains the listener's audiogram, the gains and their effect.
  private(set) var page: String?
  private(set) var bands: [Band] = []
  private(set) var isPlaying = false
  /// The message of the last error; nil after the listener has closed the message.
  var message: String?

  /// A frequency band: centre in Hz, gain in dB, input level in dB SPL.
  struct Band: Identifiable {
    let id: Int
    let center: Double
    let gain: Double
    let level: Double
  }

  private let health = HKHealthStore()
  private let source = DefaultPresetDataSource(fitting: .techLevel(3))
  /// The app's only session. It is active as long as the app runs.
  private let session: ProcessingSession
  private let chain: AudioChain
  private var systemObservation: ObservationToken?

  var isEnabled: Bool {
    get { session.isEnabled.value }
    set { session.isEnabled.apply(newValue) }
  }

  var intensity: Double {
    get { Double(session.intensity.value) }
    set { session.intensity.apply(Float(newValue)) }
  }

  init() throws {
    session = try ProcessingController.shared.activate(presetDataSource: .default(source))
    chain = AudioChain(session)
    // When the audio route changes, the follower sets the calibration of the new output. While the
    // output is a hearing device, the follower interrupts the processing.
    let follower = AudioSessionFollower(session, routes: RouteFollower(session)) { [weak self] in
      Task { @MainActor in await self?.chain.rebuild() }
    }
    chain.ended = { [weak self] error in
      self?.isPlaying = false
      if let error { self?.show(error) }
    }
    systemObservation = follower.observe { kind, _ in
      // These levels in dB SPL are examples. Replace them with levels that you measured on the
      // headphones that your app supports.
      Calibration(fullScaleSPL: kind == .wired ? 112 : 100)
    }
  }

  /// Reads the newest audiogram in Health and applies its preset.
  func readHealth() async {
    await report {
      let type = HKObjectType.audiogramSampleType()
      try await self.health.requestAuthorization(toShare: [], read: [type])
      let query = HKSampleQueryDescriptor(
        predicates: [.sample(type: type)],
        sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1)
      let sample = try await query.result(for: self.health).first as? HKAudiogramSample
      guard let sample else {
        self.message = "Health has no audiogram, or this app may not read it."
        return
      }
      try await self.use(try HearingProfile(sample))
    }
  }

  /// Applies the preset of a standard audiogram, so that the app can be tried without a
  /// measurement.
  func useStandardAudiogram() async {
    await report { try await self.use(HearingProfile(left: .n3, right: .n3)) }
  }

  /// Stops the playback and creates a hearing test. Shows a message and returns nil if no test is
  /// possible.
  func makeTest() -> HearingTestModel? {
    stop()
    do {
      return try HearingTestModel()
    } catch {
      show(error)
      return nil
    }
  }

  /// Runs a hearing test. Processing is off during the test and resumes afterwards.
  func run(_ test: HearingTestModel) async {
    await report {
      try await self.session.withInterruption(reason: "hearing test") { try await test.run() }
    }
  }

  /// Reports the result of the hearing test. The session then applies the recommended preset, sets
  /// the intensity to 1, and switches processing on.
  func useMeasured() async {
    await report {
      guard let measured = self.measured else { return }
      self.measured = nil
      self.profile = measured
      _ = try await ProcessingController.shared.report(.hearingTestSubmitted(measured)).get()
      self.showPage()
    }
  }

  /// Plays a file, or the microphone if `file` is nil.
  func play(_ file: URL?) async {
    // The system does not report the end of every interruption. Therefore a start of the playback
    // by the listener also ends the interruption.
    session.resolve(interruption: .audioSession)
    await report {
      do {
        try await self.chain.play(file.map { .file($0) } ?? .microphone)
        self.isPlaying = true
      } catch {
        self.stop()
        throw error
      }
    }
  }

  /// Plays the speech recording in the app bundle.
  func playExample() async {
    guard let speech = Bundle.main.url(forResource: "speech", withExtension: "wav") else {
      message = "speech.wav is missing in the app."
      return
    }
    await play(speech)
  }

  /// Plays a file that the listener has chosen.
  ///
  /// A file from another app is readable only while the app holds access to the file. Therefore the
  /// app plays a copy.
  func open(_ result: Result<URL, any Error>) async {
    await report {
      let url = try result.get()
      let isScoped = url.startAccessingSecurityScopedResource()
      defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
      let copy = FileManager.default.temporaryDirectory
        .appendingPathComponent("chosen." + url.pathExtension)
      try? FileManager.default.removeItem(at: copy)
      try FileManager.default.copyItem(at: url, to: copy)
      await self.play(copy)
    }
  }

  /// Stops the playback.
  func stop() {
    chain.stop()
    isPlaying = false
  }

  /// Updates the levels. Called several times per second while the app is visible.
  func updateLevels() {
    guard let levels = chain.levels else {
      bands = []
      return
    }
    bands = chain.centers.indices.map { band in
      Band(
        id: band, center: chain.centers[band], gain: levels.gains[band],
        level: levels.inputs[band])
    }
  }

  private func use(_ profile: HearingProfile) async throws {
    self.profile = profile
    source.profile = profile
    _ = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    showPage()
  }

  private func showPage() {
    message = nil
    guard let profile, let preset = session.preset.value else { return }
    page = ReportPage.fitting(profile: profile, preset: preset).html
  }

  private func report(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch is CancellationError {
      // The task was cancelled because the listener left the screen.
    } catch {
      show(error)
    }
  }

  /// Shows a message for an error. For an error of the operating system, the message is the
  /// localised description. For an error of this package, the message is the error's `description`.
  private func show(_ error: any Error) {
    let isFromSystem = type(of: error) is NSError.Type || error is any LocalizedError
    message = isFromSystem ? error.localizedDescription : "\(error)"
  }
}
