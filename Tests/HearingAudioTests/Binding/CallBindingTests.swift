import HearingAudio
import HearingDSP
import HearingProcessing
import HearingVoice
import XCTest

final class CallBindingTests: XCTestCase {
  func test_bind_toACall_appliesThePresetToTheFarVoice_andCallParametersToTheCall() async throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let source = DefaultPresetDataSource(
      fitting: .techLevel(2), profile: HearingProfile(left: .n3, right: .n3))
    let session = try controller.activate(presetDataSource: .default(source))
    let preset = try await session.preset.reload().get()
    session.isEnabled.apply(true)
    let listener = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let processor = try VoiceProcessor(sampleRate: 48_000, farProcessor: listener)

    let binding = session.bind(to: processor)

    XCTAssertTrue(binding.listener?.processor === listener)
    XCTAssertEqual(
      listener.response(at: 1_000, channel: 0), preset?.left?.gain(at: 1_000, inputLevel: 65) ?? 0,
      accuracy: 0.05)
    binding.parameters.isMuted.apply(true)
    XCTAssertTrue(processor.isMuted)
  }

  func test_bind_callWithoutAFarProcessor_returnsABindingWithoutAListener() throws {
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let binding = session.bind(to: try VoiceProcessor(sampleRate: 16_000))
    XCTAssertNil(binding.listener)
  }
}
