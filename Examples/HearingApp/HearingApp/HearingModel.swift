import Foundation
import HealthKit
import HearingAudio
import HearingFitting
import HearingProcessing
import HearingReport
import Observation

/// Connects the listener, the session and the sound.
@MainActor @Observable
final class HearingModel {
  private(set) var profile: HearingProfile?
  /// The result of a hearing test without a calibration. It is not used until the listener agrees.
  var measured: HearingProfile?
  /// The page that explains the fitting: audiogram, gains and their effect.
  private(set) var page: String?
  private(set) var bands: [Band] = []
  private(set) var isPlaying = false
  private(set) var message: String?

  /// One band of the processor.
  struct Band: Identifiable {
    let id: Int
    let center: Double
    let gain: Double
    let level: Double
  }

  private let health = HKHealthStore()
  private let controller = ProcessingController()
  private var session: ProcessingSession?
  private var chain: AudioChain?
  private var systemObservation: ObservationToken?

  var isEnabled: Bool {
    get { session?.isEnabled.value ?? false }
    set { session?.isEnabled.apply(newValue) }
  }

  var intensity: Double {
    get { Double(session?.intensity.value ?? 1) }
    set { session?.intensity.apply(Float(newValue)) }
  }

  /// Reads the newest audiogram in Health and starts a session with it.
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

  /// Starts a session with a standard audiogram, to try the app without a measurement.
  func useStandardAudiogram() async {
    await report { try await self.use(HearingProfile(left: .n3, right: .n3)) }
  }

  /// Stops the sound and creates a hearing test; nil if no test is possible.
  func makeTest() -> HearingTestModel? {
    stop()
    return try? HearingTestModel()
  }

  /// Starts a session with the result of the hearing test.
  func useMeasured() async {
    await report {
      guard let measured = self.measured else { return }
      self.measured = nil
      try await self.use(measured)
    }
  }

  /// Plays a file, or the microphone if there is none.
  func play(_ file: URL?) async {
    await report {
      try await self.chain?.play(file.map { .file($0) } ?? .microphone)
      self.isPlaying = true
    }
  }

  /// Stops the sound.
  func stop() {
    chain?.stop()
    isPlaying = false
  }

  /// Updates the levels; called several times a second while the app is visible.
  func updateLevels() {
    guard let chain, let levels = chain.levels else {
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
    stop()
    controller.deactivate()
    self.profile = profile
    let source = DefaultPresetDataSource(fitting: .techLevel(3), profile: profile)
    let session = try controller.activate(presetDataSource: .default(source))
    self.session = session
    chain = AudioChain(session)
    let follower = AudioSessionFollower(session, routes: RouteFollower(session)) { [weak self] in
      Task { @MainActor in try await self?.chain?.rebuild() }
    }
    systemObservation = follower.observe()
    session.isEnabled.apply(true)
    if let preset = try await session.preset.reload().get() {
      page = FittingReport(profile: profile, preset: preset).html
    }
    message = nil
  }

  private func report(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      message = "\(error)"
    }
  }
}
