import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingVoice

final class LinearCancellerTests: XCTestCase {
  func test_process_shadowFilterRestarted_staysCloseToTheMainFilter() {
    var canceller = LinearCanceller(
      plan: EchoPlan(sampleRate: 8_000, tail: 0.064), sampleRate: 8_000)
    let block = canceller.plan.block
    var generator = SeededGenerator(seed: 41)
    let reference = Signals.noise(count: 150 * block, using: &generator)
    var microphone = Signals.silence(37) + reference.dropLast(37).map { 0.5 * $0 }
    microphone.withUnsafeMutableBufferPointer { microphone in
      reference.withUnsafeBufferPointer { reference in
        let difference = OwnedRow<Float>.filled(0, count: reference.count)
        let samples = microphone.row
        let played = PlaybackRows(mean: reference.row, difference: difference.row)
        canceller.process(samples, reference: played, frameCount: 149 * block)
        XCTAssertFalse(canceller.paths.isOnTrial)
        // The shadow filter is the second filter of the canceller. If it is empty, it cancels
        // nothing, and the canceller restarts it immediately. The uncancelled echo must not be used
        // as its error.
        canceller.shadow.response.clear()
        canceller.process(
          samples.from(149 * block), reference: played.from(149 * block), frameCount: block)
      }
    }
    let count = 2 * canceller.plan.partitions * canceller.plan.stride
    var (power, difference) = (0.0, 0.0)
    for index in 0..<count {
      let x = Double(canceller.room.response.real[index])
      let y = Double(canceller.room.response.imaginary[index])
      power += x * x + y * y
      difference += pow(x - Double(canceller.shadow.response.real[index]), 2)
      difference += pow(y - Double(canceller.shadow.response.imaginary[index]), 2)
    }
    print("the shadow filter is \(10 * log10(power / difference)) dB from the room filter")
    XCTAssertLessThan(difference, 1e-3 * power)
  }
}
