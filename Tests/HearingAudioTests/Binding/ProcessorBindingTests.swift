import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing
import TestSupport
import XCTest

final class ProcessorBindingTests: XCTestCase {
  private let frequencies: [Double] = [250, 1_000, 4_000]

  private func makeSession(
    _ profile: HearingProfile? = nil
  ) throws -> (ProcessingController, ProcessingSession) {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: profile)
    return (controller, try controller.activate(presetDataSource: .default(source)))
  }

  private func makeProcessor(channelCount: Int = 2) throws -> BandGainProcessor {
    try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: channelCount))
  }

  private func assertGains(
    of processor: BandGainProcessor, channel: Int, equal gain: (Double) -> Double,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    for frequency in frequencies {
      XCTAssertEqual(
        processor.response(at: frequency, channel: channel), gain(frequency), accuracy: 0.05,
        "\(frequency) Hz", file: file, line: line)
    }
  }

  /// Whether the processor returns a quiet block without a change.
  private func isBypassed(_ processor: BandGainProcessor) -> Bool {
    let noise = (0..<2_048).map { Float(1e-4 * sin(1.7 * Double($0))) }
    let block = AudioBlock(
      Array(repeating: noise, count: processor.spec.channelCount))
    // A cross-fade may still be in progress. It ends within four blocks.
    for _ in 0..<4 { processor.process(AudioBlock(block.samples)) }
    processor.process(block)
    return block.samples.allSatisfy { $0 == noise }
  }

  func test_fineTuning_isAddedToTheGainsOfEachPreset_untilSetToNone() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n3, right: .n3))
    let preset = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    let processor = try makeProcessor(channelCount: 1)
    let binding = session.bind(to: processor, ears: [.left])
    func prescribed(_ frequency: Double, of preset: Preset?) -> Double {
      preset?.left?.gain(at: frequency, inputLevel: 65) ?? 0
    }
    let louder = try FineTuning(loudness: 0.5)
    session.fineTuning.apply(louder)
    assertGains(of: processor, channel: 0) { prescribed($0, of: preset) + 3 }
    // The fine tuning of the preset and the fine tuning of the session are each 3 dB. Their sum is
    // applied.
    var tuned = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n2))
    tuned.fineTuning = louder
    _ = try await session.preset.apply(tuned).get()
    assertGains(of: processor, channel: 0) { prescribed($0, of: tuned) + 6 }
    _ = try await session.update { values in
      values.preset = preset
      values.fineTuning = .none
    }.get()
    assertGains(of: processor, channel: 0) { prescribed($0, of: preset) }
    withExtendedLifetime(binding) {}
  }

  func test_bind_appliesTheSessionsValuesToTheProcessorImmediately() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n2, right: .s1))
    let preset = try await session.preset.reload().get()
    session.intensity.apply(0.5)
    session.isEnabled.apply(true)
    let processor = try makeProcessor()
    XCTAssertTrue(isBypassed(processor))

    let binding = session.bind(to: processor)

    assertGains(of: processor, channel: 0) {
      0.5 * (preset?.left?.gain(at: $0, inputLevel: 65) ?? 0)
    }
    assertGains(of: processor, channel: 1) {
      0.5 * (preset?.right?.gain(at: $0, inputLevel: 65) ?? 0)
    }
    XCTAssertFalse(isBypassed(processor))
    XCTAssertEqual(binding.ears, [.left, .right])
  }

  func test_program_changedToMusicAndBack_changesAndRestoresTheGains() async throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let source = DefaultPresetDataSource(
      fitting: .techLevel(3), profile: HearingProfile(left: .n3, right: .n3))
    let session = try controller.activate(presetDataSource: .default(source))
    session.isEnabled.apply(true)
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    var presets: [Preset] = []
    for program in [Program.speech, .music, .speech] {
      source.fitting.program = program
      let preset = try await session.preset.reload().get()
      let current = try XCTUnwrap(preset)
      presets.append(current)
      XCTAssertEqual(current.program, program)
      for (level, frequency) in [(50.0, 1_000.0), (80, 1_000), (50, 4_000), (80, 4_000)] {
        XCTAssertEqual(
          processor.response(at: frequency, channel: 0, inputLevel: level),
          try XCTUnwrap(current.left).gain(at: frequency, inputLevel: level), accuracy: 0.05,
          "\(program), \(frequency) Hz, \(level) dB SPL")
      }
    }
    XCTAssertEqual(presets[0], presets[2])
    // The compression ratio for music is at most 1.5:1. Therefore, if the input is 30 dB louder,
    // the output is at least 20 dB louder.
    let music = try XCTUnwrap(presets[1].left)
    let speech = try XCTUnwrap(presets[0].left)
    func compression(_ ear: EarPreset) -> Double {
      ear.gain(at: 4_000, inputLevel: 50) - ear.gain(at: 4_000, inputLevel: 80)
    }
    XCTAssertLessThan(compression(music), 10.01)
    XCTAssertGreaterThan(compression(speech), compression(music))
    withExtendedLifetime(binding) {}
  }

  func test_apply_toParametersOfABoundSession_changesTheProcessor() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n3, right: .n3))
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    assertGains(of: processor, channel: 0) { _ in 0 }

    let preset = try await session.preset.reload().get()
    assertGains(of: processor, channel: 0) { preset?.left?.gain(at: $0, inputLevel: 65) ?? 0 }
    XCTAssertTrue(isBypassed(processor))
    session.isEnabled.apply(true)
    XCTAssertFalse(isBypassed(processor))
    session.intensity.apply(0)
    assertGains(of: processor, channel: 1) { _ in 0 }
    withExtendedLifetime(binding) {}
  }

  func test_interrupt_bypassesTheProcessor_untilTheInterruptionIsResolved() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n3, right: .n3))
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    _ = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    session.interrupt(reason: "hearing test")
    XCTAssertTrue(isBypassed(processor))
    session.resolve(interruption: "hearing test")
    XCTAssertFalse(isBypassed(processor))
    withExtendedLifetime(binding) {}
  }

  func test_twoBindings_followTheSession_andReleasingOneDoesNotAffectTheOther() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n3, right: .n3))
    let processors = [try makeProcessor(), try makeProcessor()]
    let kept = session.bind(to: processors[0])
    var released: ProcessorBinding? = session.bind(to: processors[1])
    let preset = try await session.preset.reload().get()
    for processor in processors {
      assertGains(of: processor, channel: 0) { preset?.left?.gain(at: $0, inputLevel: 65) ?? 0 }
    }
    XCTAssertNotNil(released)
    released = nil

    let intensity = try await session.intensity.apply(0).get()

    XCTAssertEqual(intensity, 0)
    assertGains(of: processors[0], channel: 0) { _ in 0 }
    assertGains(of: processors[1], channel: 0) { preset?.left?.gain(at: $0, inputLevel: 65) ?? 0 }
    withExtendedLifetime(kept) {}
  }

  func test_settingsInForce_afterTheNextRenderedBlock_equalsSettingsPublished() throws {
    let (_, session) = try makeSession()
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    session.intensity.apply(0.25)
    XCTAssertLessThan(binding.settingsInForce, processor.settingsPublished)
    let block = AudioBlock([[Float]](repeating: [Float](repeating: 0, count: 64), count: 2))
    processor.process(block)
    XCTAssertEqual(binding.settingsInForce, processor.settingsPublished)
  }

  func test_bind_withEars_givesEachChannelTheGainsOfItsEar_andZeroGainWithoutAnEar() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n2, right: .n4))
    let processor = try makeProcessor(channelCount: 3)
    let binding = session.bind(to: processor, ears: [.right, nil, .left])
    let preset = try await session.preset.reload().get()
    assertGains(of: processor, channel: 0) { preset?.right?.gain(at: $0, inputLevel: 65) ?? 0 }
    assertGains(of: processor, channel: 1) { _ in 0 }
    assertGains(of: processor, channel: 2) { preset?.left?.gain(at: $0, inputLevel: 65) ?? 0 }
    withExtendedLifetime(binding) {}
  }

  func test_bind_audiogramOfOneEarOnly_appliesNoGainToTheOtherEar() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n4))
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    _ = try await session.preset.reload().get()
    assertGains(of: processor, channel: 1) { _ in 0 }
    XCTAssertGreaterThan(processor.response(at: 2_000, channel: 0), 20)
    withExtendedLifetime(binding) {}
  }

  func test_calibration_changedAfterBinding_changesTheOutputCeiling() throws {
    let (_, session) = try makeSession()
    let processor = try makeProcessor()
    let binding = session.bind(to: processor, calibration: Calibration(fullScaleSPL: 100))
    session.isEnabled.apply(true)
    binding.calibration = Calibration(fullScaleSPL: 125)
    XCTAssertEqual(binding.calibration, Calibration(fullScaleSPL: 125))
    let block = AudioBlock([[Float](repeating: 1, count: 64), [Float](repeating: -1, count: 64)])
    processor.process(block)
    // The output ceiling is 105 dB SPL, which is 20 dB below the calibrated 125 dB SPL for an RMS
    // of 1.0. Therefore the maximum sample is the peak of a sine with an RMS of 0.1.
    let ceiling = Float(0.1 * 2.0.squareRoot()) * 1.000_001
    for samples in block.samples {
      for sample in samples { XCTAssertLessThanOrEqual(abs(sample), ceiling) }
      XCTAssertGreaterThan(samples.reduce(0) { max($0, abs($1)) }, 0.99 * ceiling)
    }
  }

  func test_bind_toADeactivatedSession_appliesTheSessionsLastValues() throws {
    let (controller, session) = try makeSession()
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    session.preset.apply(Preset(left: ear, right: ear))
    session.isEnabled.apply(true)
    controller.deactivate()
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    XCTAssertFalse(isBypassed(processor))
    assertGains(of: processor, channel: 0) { _ in 12 }
    withExtendedLifetime(binding) {}
  }

  func test_bind_presetWithTooManyCurvePoints_failsThePreset_andAppliesNoGain() async throws {
    let (_, session) = try makeSession()
    // The preset has 200 input levels. This is more than the maximum number of points of a gain
    // curve.
    let levels = (0..<200).map { Double($0) / 2 }
    let ear = try EarPreset(
      frequencies: [1_000], inputLevels: levels, gains: [levels.indices.map { Double($0 % 2) }])
    let jagged = Preset(left: ear, right: ear)
    session.preset.apply(jagged)
    session.intensity.apply(0.25)
    session.isEnabled.apply(true)
    let processor = try makeProcessor()

    let binding = session.bind(to: processor)

    await assertCannotApply(binding.presetSynchronization)
    assertGains(of: processor, channel: 0) { _ in 0 }
    XCTAssertEqual(session.preset.value, jagged, "the session keeps its value")
    let flat = try EarPreset(frequencies: [1_000], gains: [12])
    _ = try await session.preset.apply(Preset(left: flat, right: flat)).get()
    assertGains(of: processor, channel: 1) { _ in 3 }
    XCTAssertFalse(isBypassed(processor), "isEnabled has an effect only with a preset")
    await assertCannotApply(session.preset.apply(jagged))
    XCTAssertEqual(session.preset.value, Preset(left: flat, right: flat))
  }

  /// The preset has more input levels than a gain curve may have points. All points of the preset
  /// lie on one line, so fewer points describe the same curve.
  func test_apply_presetWith200LevelsOnAStraightLine_succeeds() async throws {
    let (_, session) = try makeSession()
    session.isEnabled.apply(true)
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    let levels = (0..<200).map { Double($0) / 2 }
    let ear = try EarPreset(
      frequencies: [1_000], inputLevels: levels, gains: [levels.map { 60 - $0 / 2 }])
    _ = try await session.preset.apply(Preset(left: ear, right: ear)).get()
    XCTAssertEqual(
      processor.response(at: 1_000, channel: 0, inputLevel: 40), 40, accuracy: 0.05)
    withExtendedLifetime(binding) {}
  }

  func test_bind_supportedPreset_synchronizationDeliversThePreset() async throws {
    let (_, session) = try makeSession(HearingProfile(left: .n2, right: .n2))
    let preset = try await session.preset.reload().get()
    let binding = session.bind(to: try makeProcessor())
    let synchronized = try await binding.presetSynchronization.get()
    XCTAssertNotNil(preset)
    XCTAssertEqual(synchronized, preset)
  }

  private func assertCannotApply(
    _ result: ResultPublisher<Preset?, ParameterError>, line: UInt = #line
  ) async {
    do {
      let preset = try await result.get()
      XCTFail("applied \(String(describing: preset))", line: line)
    } catch {
      guard case ParameterError.cannotApply = error else { return XCTFail("\(error)", line: line) }
    }
  }

  func test_bind_appliesTheSessionsValues_evenIfAnotherApplicatorNeverAnswers() throws {
    let (_, session) = try makeSession()
    session.isEnabled.apply(true)
    let silent = session.isEnabled.applicator().apply { _, result in Self.kept.record(result) }
    let processor = try makeProcessor()
    let binding = session.bind(to: processor)
    let ear = try EarPreset(frequencies: [1_000], gains: [12])
    session.preset.apply(Preset(left: ear, right: ear))
    XCTAssertFalse(isBypassed(processor))
    withExtendedLifetime((silent, binding)) {}
  }

  private static let kept = Recorder<@Sendable (ApplicationResult) -> Void>()
}
