import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class EchoRenderingTests: XCTestCase {
  func test_process_shadowThatStartsAgainFromTheRoom_learnsFromWhatTheRoomLeaves() {
    let state = UnsafeMutablePointer<EchoState>.allocate(capacity: 1)
    state.initialize(
      to: EchoState(plan: EchoPlan(sampleRate: 8_000, tail: 0.064), sampleRate: 8_000))
    defer {
      state.pointee.deallocate()
      state.deallocate()
    }
    let block = state.pointee.plan.block
    var generator = SeededGenerator(seed: 41)
    let reference = Signals.noise(count: 150 * block, using: &generator)
    var microphone = Signals.silence(37) + reference.dropLast(37).map { 0.5 * $0 }
    func process(blocks: Range<Int>) {
      for number in blocks {
        microphone.withUnsafeMutableBufferPointer { microphone in
          reference.withUnsafeBufferPointer { reference in
            guard let samples = microphone.baseAddress, let played = reference.baseAddress else {
              return
            }
            EchoRendering.process(
              state, samples + number * block, reference: played + number * block,
              frameCount: block)
          }
        }
      }
    }
    process(blocks: 0..<149)
    XCTAssertFalse(state.pointee.paths.isOnProbation)
    // A shadow that knows nothing leaves the whole echo, and is given the room's response at once;
    // that echo must teach it nothing.
    state.pointee.shadow.response.clear()
    process(blocks: 149..<150)
    let (room, shadow) = (state.pointee.room.response, state.pointee.shadow.response)
    var (power, difference) = (0.0, 0.0)
    for index in 0..<room.stride * room.count {
      power += pow(Double(room.real[index]), 2) + pow(Double(room.imaginary[index]), 2)
      difference += pow(Double(room.real[index] - shadow.real[index]), 2)
      difference += pow(Double(room.imaginary[index] - shadow.imaginary[index]), 2)
    }
    print("the shadow is \(10 * log10(power / difference)) dB from the room")
    XCTAssertLessThan(difference, 1e-3 * power)
  }
}
