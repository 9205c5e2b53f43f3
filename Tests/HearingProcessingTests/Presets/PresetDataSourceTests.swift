@testable import HearingProcessing
import Observation
import TestSupport
import XCTest

final class PresetDataSourceTests: TimedTestCase {
  private let controller = ProcessingController(scheduler: ManualScheduler())
  private let profile = HearingProfile(left: .n2, right: .n3)

  // MARK: Default

  func test_defaultSource_withoutAProfile_loadsNil() async throws {
    let session = try activate(.default(DefaultPresetDataSource(fitting: .techLevel(2))))
    session.preset.apply(try Fitting.techLevel(2).preset(for: profile))
    let preset = try await session.preset.reload().get()
    XCTAssertNil(preset)
    XCTAssertNil(session.preset.value)
  }

  func test_defaultSource_computesThePresetFromProfileAndFitting() async throws {
    for level in Fitting.knownTechLevels {
      let fitting = Fitting.techLevel(level)
      let session = try activate(
        .default(DefaultPresetDataSource(fitting: fitting, profile: profile)))
      let preset = try await session.preset.reload().get()
      XCTAssertEqual(preset, try fitting.preset(for: profile))
      XCTAssertNotNil(preset)
      controller.deactivate()
    }
  }

  func test_defaultSource_load_usesTheFittingAndTheProfileThatWereSetWhenTheLoadBegan() async throws
  {
    let source = DefaultPresetDataSource(fitting: .techLevel(1), profile: profile)
    let session = try activate(.default(source))
    _ = try await session.preset.reload().get()
    source.fitting = .techLevel(2)
    source.profile = HearingProfile(right: .s2)
    XCTAssertEqual(session.preset.value, try Fitting.techLevel(1).preset(for: profile))
    _ = try await session.preset.reload().get()
    XCTAssertEqual(
      session.preset.value, try Fitting.techLevel(2).preset(for: HearingProfile(right: .s2)))
  }

  func test_defaultSource_withAnUnknownTechLevel_failsTheReloadWithTheReason() async throws {
    for level in [0, 4, -1, .max] {
      let session = try activate(
        .default(DefaultPresetDataSource(fitting: .techLevel(level), profile: profile)))
      guard case .loadFailed(let error) = await session.preset.reload().failure() else {
        return XCTFail("level \(level) is known")
      }
      XCTAssertEqual(error as? FittingError, .unknownTechLevel(level))
      XCTAssertNil(session.preset.value)
      controller.deactivate()
    }
  }

  func test_defaultSource_reloadAfterProfileOrFittingWasSet_supersedesTheOlderReload() async throws
  {
    let source = DefaultPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.default(source))
    let device = ManualDevice(session.preset)
    let first = session.preset.reload()
    // The preset is computed very quickly. The device keeps the first load waiting while its value
    // is applied. Therefore loads can overlap in both orders.
    source.profile = HearingProfile(left: .n4)
    let second = session.preset.reload()
    let third = session.preset.reload()
    await device.wasAsked(1)
    device.automatic = .success
    device.answer()
    _ = await first.failure()
    _ = try? await second.get()
    _ = try? await third.get()
    XCTAssertEqual(
      session.preset.value, try Fitting.techLevel(2).preset(for: HearingProfile(left: .n4)))
  }

  // MARK: Up and down

  func test_upDownSource_load_publishesTheBundleOfVariants() async throws {
    let fitting = Fitting.techLevel(3)
    let source = UpDownPresetDataSource(fitting: fitting, profile: profile)
    XCTAssertNil(source.bundle)
    let seen = Recorder<UpDownPresetBundle?>()
    let token = source.$bundle.sink { seen.record($0) }
    let session = try activate(.upDown(source))
    XCTAssertNil(source.bundle)
    let preset = try await session.preset.reload().get()
    let bundle = UpDownPresetBundle(
      up: try fitting.preset(for: profile, variant: .up),
      default: try fitting.preset(for: profile),
      down: try fitting.preset(for: profile, variant: .down))
    XCTAssertEqual(source.bundle, bundle)
    XCTAssertEqual(seen.events, [nil, bundle])
    XCTAssertEqual(preset, bundle.default)
    XCTAssertNotEqual(bundle.up, bundle.down)
    _ = token
  }

  func test_upDownSource_applyingAVariant_setsThePreset_andKeepsTheBundle() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.upDown(source))
    _ = try await session.preset.reload().get()
    let bundle = try XCTUnwrap(source.bundle)
    _ = try await session.preset.apply(bundle.up).get()
    XCTAssertEqual(session.preset.value, bundle.up)
    XCTAssertEqual(source.bundle, bundle)
  }

  func test_upDownSource_withoutAProfile_hasNoBundle() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.upDown(source))
    _ = try await session.preset.reload().get()
    source.profile = nil
    _ = try await session.preset.reload().get()
    XCTAssertNil(source.bundle)
    XCTAssertNil(session.preset.value)
  }

  func test_upDownSource_profileSetToNil_removesTheBundle() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.upDown(source))
    _ = try await session.preset.reload().get()
    XCTAssertNotNil(source.bundle)
    source.profile = nil
    XCTAssertNil(source.bundle, "without a further load")
  }

  func test_upDownSource_failedLoad_keepsTheBundle() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.upDown(source))
    _ = try await session.preset.reload().get()
    let bundle = source.bundle
    source.fitting = .techLevel(9)
    guard case .loadFailed = await session.preset.reload().failure() else {
      return XCTFail("level 9 is known")
    }
    XCTAssertNotNil(bundle)
    XCTAssertEqual(source.bundle, bundle)
  }

  func test_upDownSource_changeOfTheBundle_notifiesObservation() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let session = try activate(.upDown(source))
    let changed = Recorder<Bool>()
    withObservationTracking {
      _ = source.bundle
    } onChange: {
      changed.record(source.bundle != nil)
    }
    _ = try await session.preset.reload().get()
    XCTAssertEqual(changed.events, [true])
  }

  func test_upDownSource_bundleComesFromTheNewestInputs_evenIfLoadsOverlap() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2))
    let other = ProcessingController(scheduler: ManualScheduler())
    let sessions = [
      try activate(.upDown(source)), try other.activate(presetDataSource: .upDown(source)),
    ]
    for round in 0..<200 {
      let profile = HearingProfile(left: round % 2 == 0 ? .n2 : .n3)
      sessions[0].preset.reload()
      source.profile = profile
      _ = await sessions[1].preset.reload().failure()
      _ = await sessions[0].preset.reload().failure()
      XCTAssertEqual(source.bundle?.default, try Fitting.techLevel(2).preset(for: profile))
    }
  }

  func test_upDownSource_olderLoadThatEndsAfterANewerLoad_doesNotPublishItsBundle() async throws {
    let source = UpDownPresetDataSource(fitting: .techLevel(2), profile: profile)
    let early = source.beginLoading()
    source.profile = HearingProfile(left: .n4)
    let late = source.beginLoading()
    _ = try await late()
    _ = try await early()
    XCTAssertEqual(
      source.bundle?.default, try Fitting.techLevel(2).preset(for: HearingProfile(left: .n4)))
  }

  // MARK: Custom

  func test_customSource_loadsThePresetThatTheApplicationReturns() async throws {
    let calls = PendingCalls<Preset?>()
    let session = try activate(.custom(CallingLoader(calls: calls)))
    let preset = try Fitting.techLevel(2).preset(for: profile)
    let result = session.preset.reload()
    await calls.begun(1)
    calls.answer(0, .success(preset))
    let value = try await result.get()
    XCTAssertEqual(value, preset)
    XCTAssertEqual(session.preset.value, preset)
  }

  func test_customSource_loaderThatThrows_failsTheReload() async throws {
    let calls = PendingCalls<Preset?>()
    let session = try activate(.custom(CallingLoader(calls: calls)))
    let result = session.preset.reload()
    await calls.begun(1)
    calls.answer(0, .failure(Trouble()))
    guard case .loadFailed(let error) = await result.failure() else { return XCTFail("no failure") }
    XCTAssertTrue(error is Trouble)
  }

  func test_customSource_reportedProfile_supersedesAnEarlierLoad() async throws {
    let calls = PendingCalls<Preset?>()
    let session = try activate(.custom(CallingLoader(calls: calls)))
    let preset = try Fitting.techLevel(2).preset(for: profile)
    let early = session.preset.reload()
    await calls.begun(1)
    let report = controller.report(.hearingTestSubmitted(profile))
    await calls.begun(2)
    calls.answer(1, .success(preset))
    _ = try await report.get()
    calls.answer(0, .success(nil))
    guard case .superseded = await early.failure() else { return XCTFail("the early load counts") }
    XCTAssertEqual(session.preset.value, preset)
  }

  private func activate(_ source: PresetDataSource) throws -> ProcessingSession {
    try controller.activate(presetDataSource: source)
  }
}
