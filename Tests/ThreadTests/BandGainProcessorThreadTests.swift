import Foundation
import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

/// Applies settings on one thread and renders on another thread. The script
/// `Scripts/thread-sanitizer.sh` runs these tests with the thread sanitizer. The script also checks
/// that the sanitizer reports the unsafe code in `BrokenHandoff`.
final class BandGainProcessorThreadTests: XCTestCase {
  func test_apply_whileAnotherThreadRenders_activatesWholeSettingsInOrder() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let rounds = Signals.isSanitized ? 200 : 2_000
    let isFinished = Flag()
    let faults = Recorder<String>()
    let render = Thread {
      var generation: UInt64 = 0
      let sound = Signals.sine(1_000, rate: 48_000, count: 96)
      while !isFinished.isSet || processor.settingsInForce < processor.settingsPublished {
        isFinished.isRunning = true
        let output = processor.rendered([sound, sound], blocks: [31])
        let inForce = processor.settingsInForce
        if inForce < generation { faults.record("settings \(inForce) after \(generation)") }
        generation = inForce
        // Both channels have the same input, and all gains of one group of settings are equal. If
        // the processor mixed two groups of settings, the gains would differ.
        if Signals.bits(output[0]) != Signals.bits(output[1]) {
          faults.record("different outputs with settings \(inForce)")
        }
        let targets = processor.levels.channels.map(\.targetGains)
        if targets.joined().contains(where: { $0 != targets[0][0] }) {
          faults.record("mixed gains \(targets) with settings \(inForce)")
        }
      }
      isFinished.isDone = true
    }
    render.start()
    while !isFinished.isRunning { sched_yield() }
    var generator = SeededGenerator(seed: 61)
    var gain = 0.0
    for round in 0..<rounds {
      gain = Double.random(in: 0...20, using: &generator)
      let gains = Array(repeating: gain, count: 10)
      try processor.apply(
        ProcessorSettings(
          gains: [gains, gains], outputCeiling: 100, isEnabled: round % 7 != 0))
      let levels = processor.levels
      XCTAssertEqual(levels.channels.count, 2)
      XCTAssertLessThanOrEqual(levels.channels[1].outputPeak, 2)
    }
    isFinished.isSet = true
    while !isFinished.isDone { sched_yield() }
    XCTAssertEqual(faults.events.prefix(3), [])
    XCTAssertEqual(processor.settingsInForce, UInt64(rounds))
    // After 100 ms, every transition has ended.
    _ = processor.rendered([Signals.silence(4_800), Signals.silence(4_800)])
    for channel in processor.levels.channels {
      XCTAssertEqual(channel.targetGains, Array(repeating: Double(Float(gain)), count: 10))
    }
  }

  func test_apply_fromManyThreads_publishesEverySetting() throws {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 1))
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      let gains = Array(repeating: Double(index), count: 10)
      do {
        try processor.apply(ProcessorSettings(gains: [gains]))
        _ = processor.response(at: 1_000, channel: 0)
      } catch {
        XCTFail("\(error)")
      }
    }
    XCTAssertEqual(processor.settingsPublished, 40)
  }

  /// A variant of `TripleBuffer` without its atomic word. Without the atomic word, the buffer is
  /// not thread-safe.
  private final class BrokenHandoff: @unchecked Sendable {
    // The code is intentionally not thread-safe.
    var slots = UnsafeMutablePointer<SIMD8<Double>>.allocate(capacity: 2)
    var front = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() {
      slots.initialize(repeating: .zero, count: 2)
      front.initialize(to: 0)
    }
  }

  func test_dataRace_isReportedByTheThreadSanitizer() throws {
    try XCTSkipUnless(
      ProcessInfo.processInfo.environment["PLANT_A_RACE"] != nil,
      "a planted race, for the thread sanitizer to find")
    let handoff = BrokenHandoff()
    // The counters use relaxed ordering, because a stronger ordering would hide the race. The
    // pauses make the two threads access the memory alternately. Without the pauses, each thread
    // could run alone for some time on a busy machine. The sanitizer would then report nothing.
    let reads = Tally()
    let writes = Tally()
    let enough = 50
    let render = Thread {
      repeat {
        reads.add(handoff.slots[handoff.front.pointee][0] >= 0 ? 1 : 0)
        usleep(1_000)
      } while reads.count < enough || writes.count < enough
    }
    render.start()
    repeat {
      let back = 1 - handoff.front.pointee
      handoff.slots[back] = SIMD8(repeating: Double(writes.count))
      handoff.front.pointee = back
      writes.add(1)
      usleep(1_000)
    } while reads.count < enough || writes.count < enough
  }
}
