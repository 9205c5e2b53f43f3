import HearingProcessing
import TestSupport
import XCTest

final class ProcessingControllerRecommendationsTests: TimedTestCase {
  private let scheduler = ManualScheduler()
  private lazy var controller = ProcessingController(scheduler: scheduler)
  private let source = DefaultPresetDataSource(fitting: .techLevel(2))
  private let profile = HearingProfile(left: .n2, right: .n3)

  // MARK: The default source

  func test_report_withoutASession_failsWithSessionDeactivated() {
    guard case .sessionDeactivated = controller.report(.profileCleared).failureNow else {
      return XCTFail("it succeeds")
    }
    XCTAssertNil(source.profile)
  }

  func test_report_ofAHearingTest_setsProfileAndPreset_andEnablesProcessing() async throws {
    let session = try activate()
    session.intensity.apply(0.2)
    let log = SessionLog()
    log.watch(session.intensity.$value, "intensity")
    log.watch(session.isEnabled.$value, "enabled")
    let token = session.preset.$value.sink { log.note($0 == nil ? "no preset" : "preset") }
    let result = controller.report(.hearingTestSubmitted(profile))
    XCTAssertEqual(source.profile, profile, "at once")
    let recommendation = try await result.get()
    XCTAssertEqual(
      recommendation, ParameterRecommendation(isEnabled: true, intensity: 1, reloadsPreset: true))
    XCTAssertEqual(
      log.events,
      ["intensity 0.2", "enabled false", "no preset", "preset", "intensity 1.0", "enabled true"])
    XCTAssertEqual(session.preset.value, try Fitting.techLevel(2).preset(for: profile))
    _ = token
  }

  func test_sourceThatNeverAnswers_failsTheReportAfterTenSeconds_andTheNextReportRuns()
    async throws
  {
    let calls = PendingCalls<ParameterRecommendation>()
    controller.recommendationSource = AskingSource(calls: calls)
    let session = try activate()
    let silent = controller.report(.profileCleared)
    let next = controller.report(.profileCleared)
    await calls.begun(1)
    scheduler.advance(by: .seconds(9.9))
    XCTAssertNil(silent.outcome)
    scheduler.advance(by: .seconds(0.1))
    let failure = await silent.failure()
    guard case .recommendationFailed? = failure else {
      return XCTFail("\(String(describing: failure))")
    }
    await calls.cancelled(0)
    await calls.begun(2)
    calls.answer(1, .success(ParameterRecommendation(intensity: 0.5)))
    _ = try await next.get()
    XCTAssertEqual(session.intensity.value, 0.5)
    calls.answer(0, .success(ParameterRecommendation(intensity: 0.25)))
    XCTAssertEqual(session.intensity.value, 0.5, "a late answer counts for nothing")
  }

  // MARK: The listener's choices

  func test_report_presetAppliedBeforeTheRecommendation_isKept_andOthersAreApplied() async throws {
    let calls = PendingCalls<ParameterRecommendation>()
    controller.recommendationSource = AskingSource(calls: calls)
    let session = try activate()
    let chosen = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n4))
    let result = controller.report(.hearingTestSubmitted(profile))
    await calls.begun(1)
    session.preset.apply(chosen)
    let recommendation = ParameterRecommendation(
      isEnabled: true, intensity: 0.5, reloadsPreset: true)
    calls.answer(0, .success(recommendation))
    let applied = try await result.get()
    XCTAssertEqual(applied, recommendation)
    XCTAssertEqual(session.preset.value, chosen)
    XCTAssertEqual(session.intensity.value, 0.5)
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_report_presetAppliedDuringItsReload_isKept_andOtherValuesAreApplied() async throws {
    let calls = PendingCalls<Preset?>()
    let session = try controller.activate(
      presetDataSource: .custom(CallingLoader(calls: calls)))
    let result = controller.report(.hearingTestSubmitted(profile))
    await calls.begun(1)
    session.preset.apply(nil)
    calls.answer(0, .success(try Fitting.techLevel(2).preset(for: profile)))
    _ = try await result.get()
    XCTAssertNil(session.preset.value)
    XCTAssertTrue(session.isEnabled.value)
  }

  /// A load begins before the report and ends after it. Therefore its preset belongs to the old
  /// profile. The second case has an additional earlier report.
  func test_report_presetOfALoadThatBeganBeforeTheReport_isReplaced() async throws {
    let old = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n4))
    for waits in [false, true] {
      let (calls, loads) = (PendingCalls<ParameterRecommendation>(), PendingCalls<Preset?>())
      controller.recommendationSource = AskingSource(calls: calls)
      let session = try controller.activate(
        presetDataSource: .custom(CallingLoader(calls: loads)))
      let earlier = waits ? controller.report(.authenticated(listener: "somebody")) : nil
      let load = session.preset.reload()
      let report = controller.report(.signedOut)
      guard case .superseded = load.failureNow else { return XCTFail("the load goes on") }
      await loads.begun(1)
      loads.answer(0, .success(old))
      if let earlier {
        await calls.begun(1)
        calls.answer(0, .success(ParameterRecommendation()))
        _ = try await earlier.get()
      }
      await calls.begun(waits ? 2 : 1)
      calls.answer(waits ? 1 : 0, .success(ParameterRecommendation(clearsPreset: true)))
      _ = try await report.get()
      XCTAssertNil(session.preset.value, "waits: \(waits)")
      controller.deactivate()
    }
  }

  /// A load of a custom source has no time limit.
  func test_report_ofASignOut_endsTheLoadOfAnEarlierReportThatHangs() async throws {
    let loads = PendingCalls<Preset?>()
    let session = try controller.activate(presetDataSource: .custom(CallingLoader(calls: loads)))
    session.isEnabled.apply(true)
    let earlier = controller.report(.authenticated(listener: "somebody"))
    await loads.begun(1)
    let report = controller.report(.signedOut)
    _ = try await earlier.get()
    _ = try await report.get()
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_deactivate_whileAReportRuns_freesTheSession() async throws {
    let loads = PendingCalls<Preset?>()
    weak let session = try controller.activate(
      presetDataSource: .custom(CallingLoader(calls: loads)))
    let report = controller.report(.authenticated(listener: "somebody"))
    await loads.begun(1)
    controller.deactivate()
    await loads.cancelled(0)
    guard case .sessionDeactivated? = await report.failure() else { return XCTFail("it succeeds") }
    loads.answer(0, .failure(Trouble()))
    for _ in 1...10_000 where session != nil { try await Task.sleep(for: .milliseconds(1)) }
    XCTAssertNil(session)
  }

  // MARK: Recommended values of isEnabled

  func test_recommendedValueThatASecondDeviceRefuses_leavesTheFirstDeviceOn() async throws {
    let session = try activate()
    let first = ManualDevice(session.isEnabled, automatic: .success)
    session.isEnabled.apply(true)
    let second = ManualDevice(session.isEnabled, automatic: .success)
    second.isWilling = false
    let failure = await controller.report(.hearingTestSubmitted(profile)).failure()
    XCTAssertEqual(failure, .parameter(.cannotApply(Attempt(value: "true"))))
    XCTAssertEqual(first.asked, [true])
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_interruption_waitsForARecommendedValueAtMostOneSecond() async throws {
    let session = try activate()
    let processor = ManualDevice(session.isEnabled, automatic: .success)
    let silent = ManualDevice(session.isEnabled)
    let report = controller.report(.hearingTestSubmitted(profile))
    await silent.wasAsked(1)
    let interrupted = session.interrupt(reason: "test")
    silent.automatic = .success
    scheduler.advance(by: .seconds(1))
    let isInterrupted = try await interrupted.get()
    XCTAssertTrue(isInterrupted)
    XCTAssertEqual(processor.asked, [true, false])
    guard case .parameter(.interrupted)? = await report.failure() else {
      return XCTFail("it succeeds")
    }
  }

  // MARK: The profile

  func test_report_whileALoadRuns_replacesThePresetOfTheFormerProfile() async throws {
    source.profile = HearingProfile(left: .n4)
    for event in [ListenerEvent.hearingTestSubmitted(profile), .profileCleared, .signedOut] {
      for _ in 0..<50 {
        source.profile = HearingProfile(left: .n4)
        let session = try activate()
        session.preset.reload()
        _ = try await controller.report(event).get()
        let expected = try source.profile.map { try Fitting.techLevel(2).preset(for: $0) }
        XCTAssertEqual(session.preset.value, expected, event.name)
        controller.deactivate()
      }
    }
  }

  func test_report_presetOfALoadThatBeganAfterTheReport_isKept() async throws {
    let (calls, loads) = (PendingCalls<ParameterRecommendation>(), PendingCalls<Preset?>())
    controller.recommendationSource = AskingSource(calls: calls)
    let session = try controller.activate(presetDataSource: .custom(CallingLoader(calls: loads)))
    let chosen = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n4))
    let report = controller.report(.signedOut)
    let load = session.preset.reload()
    await loads.begun(1)
    loads.answer(0, .success(chosen))
    _ = try await load.get()
    await calls.begun(1)
    calls.answer(0, .success(ParameterRecommendation(clearsPreset: true)))
    _ = try await report.get()
    XCTAssertEqual(session.preset.value, chosen)
  }

  func test_report_intensityAppliedBeforeTheRecommendation_isKept() async throws {
    let calls = PendingCalls<ParameterRecommendation>()
    controller.recommendationSource = AskingSource(calls: calls)
    let session = try activate()
    let result = controller.report(.authenticated(listener: "somebody"))
    await calls.begun(1)
    session.intensity.apply(0.2)
    calls.answer(0, .success(ParameterRecommendation(isEnabled: true, intensity: 0.9)))
    _ = try await result.get()
    XCTAssertEqual(session.intensity.value, 0.2)
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_report_replacesValuesOfAnEarlierReport() async throws {
    let session = try activate()
    let first = controller.report(.hearingTestSubmitted(profile))
    let second = controller.report(.profileCleared)
    _ = try await first.get()
    _ = try await second.get()
    XCTAssertNil(session.preset.value)
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_report_ofASignIn_onlyReloadsThePreset() async throws {
    source.profile = profile
    let session = try activate()
    session.intensity.apply(0.2)
    _ = try await controller.report(.authenticated(listener: "somebody")).get()
    XCTAssertNotNil(session.preset.value)
    XCTAssertEqual(session.intensity.value, 0.2)
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(source.profile, profile)
  }

  func test_report_ofAClearedProfile_removesTheProfile_reloads_andDisablesProcessing() async throws
  {
    source.profile = profile
    let session = try activate()
    session.isEnabled.apply(true)
    _ = try await session.preset.reload().get()
    let result = controller.report(.profileCleared)
    XCTAssertNil(source.profile)
    _ = try await result.get()
    XCTAssertNil(session.preset.value)
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(session.intensity.value, 1)
  }

  func test_report_ofAnUnknownEvent_changesNothing() async throws {
    let session = try activate()
    session.isEnabled.apply(true)
    let event = ListenerEvent(name: "wentForAWalk", listener: "somebody", profile: profile)
    let recommendation = try await controller.report(event).get()
    XCTAssertEqual(recommendation, ParameterRecommendation())
    XCTAssertNil(source.profile)
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_report_withAnUpDownSource_setsTheProfileOfTheSource() async throws {
    let upDown = UpDownPresetDataSource(fitting: .techLevel(2))
    try controller.activate(presetDataSource: .upDown(upDown))
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()
    XCTAssertEqual(upDown.profile, profile)
    XCTAssertNotNil(upDown.bundle)
  }

  func test_report_withACustomSource_reloadsThePreset_andEnablesProcessing() async throws {
    let calls = PendingCalls<Preset?>()
    let session = try controller.activate(
      presetDataSource: .custom(CallingLoader(calls: calls)))
    let result = controller.report(.hearingTestSubmitted(profile))
    await calls.begun(1)
    let preset = try Fitting.techLevel(1).preset(for: profile)
    calls.answer(0, .success(preset))
    _ = try await result.get()
    XCTAssertEqual(session.preset.value, preset)
    XCTAssertTrue(session.isEnabled.value)
  }

  // MARK: Interruptions, failures, order

  func test_report_duringAnInterruption_changesTheValueToRestore() async throws {
    let session = try activate()
    let device = ManualDevice(session.isEnabled, automatic: .success)
    session.interrupt(reason: "1")
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertTrue(session.isInterrupted)
    XCTAssertEqual(device.asked, [false])
    session.resolve(interruption: "1")
    XCTAssertTrue(session.isEnabled.value)
    XCTAssertEqual(device.asked, [false, true])
  }

  func test_report_whileAnInterruptionBegins_runsAfterTheInterruptionHasBegun() async throws {
    let session = try activate()
    let device = ManualDevice(session.isEnabled)
    session.isEnabled.apply(true)
    device.answer()
    session.isEnabled.apply(false)
    session.interrupt(reason: "1")
    controller.recommendationSource = FixedSource(.init(isEnabled: true))
    let result = controller.report(.profileCleared)
    device.answer()
    _ = try await result.get()
    XCTAssertFalse(session.isEnabled.value)
    session.resolve(interruption: "1")
    device.answer()
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_report_supersedesADebouncedValueOfIsEnabled() async throws {
    let session = try activate()
    session.isEnabled.deliveryMode = .discrete(seconds: 1)
    let waiting = session.isEnabled.apply(false)
    _ = try await controller.report(.hearingTestSubmitted(profile)).get()
    guard case .superseded = waiting.failureNow else { return XCTFail("it still waits") }
    scheduler.advance(by: .seconds(2))
    XCTAssertTrue(session.isEnabled.value)
  }

  func test_report_whoseSourceFails_failsWithItsError() async throws {
    try activate()
    controller.recommendationSource = FixedSource(nil)
    guard
      case .recommendationFailed(let error) = await controller.report(.profileCleared).failure()
    else { return XCTFail("no failure") }
    XCTAssertTrue(error is Trouble)
  }

  func test_report_whosePresetCannotBeLoaded_appliesNothingElse() async throws {
    source.fitting = .techLevel(7)
    let session = try activate()
    guard
      case .parameter(.loadFailed(let error)) = await controller.report(
        .hearingTestSubmitted(profile)
      ).failure()
    else { return XCTFail("no failure") }
    XCTAssertEqual(error as? FittingError, .unknownTechLevel(7))
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_report_ofAnInvalidIntensity_fails() async throws {
    let session = try activate()
    controller.recommendationSource = FixedSource(.init(isEnabled: true, intensity: 2))
    guard case .parameter(.invalidValue) = await controller.report(.profileCleared).failure()
    else { return XCTFail("no failure") }
    XCTAssertFalse(session.isEnabled.value)
  }

  func test_reports_runInOrder_withTheSourceThatWasSetAtTheirCall() async throws {
    let session = try activate()
    let calls = PendingCalls<ParameterRecommendation>()
    controller.recommendationSource = AskingSource(calls: calls)
    let first = controller.report(.hearingTestSubmitted(profile))
    controller.recommendationSource = FixedSource(.init(isEnabled: false, intensity: 0.5))
    let second = controller.report(.profileCleared)
    await calls.begun(1)
    XCTAssertNil(second.valueNow)
    calls.answer(0, .success(.init(isEnabled: true, intensity: 1)))
    _ = try await first.get()
    _ = try await second.get()
    XCTAssertFalse(session.isEnabled.value)
    XCTAssertEqual(session.intensity.value, 0.5)
    let third = try await controller.report(.profileCleared).get()
    XCTAssertEqual(third, .init(isEnabled: false, intensity: 0.5))
  }

  @discardableResult
  private func activate() throws -> ProcessingSession {
    try controller.activate(presetDataSource: .default(source))
  }

  private struct FixedSource: RecommendationSource {
    let answer: ParameterRecommendation?

    init(_ answer: ParameterRecommendation?) {
      self.answer = answer
    }

    func recommendation(for event: ListenerEvent) async throws -> ParameterRecommendation {
      guard let answer else { throw Trouble() }
      return answer
    }
  }
}
