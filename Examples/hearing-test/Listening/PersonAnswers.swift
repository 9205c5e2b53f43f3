import ExampleSupport
import Foundation
import HearingAudiometry
import HearingFitting

/// A person who listens with headphones and answers with a keyboard.
///
/// The player program reads samples at its own speed. The person hears a sample `latency` seconds
/// after the player has read the sample.
final class PersonAnswers: TestListener {
  static let sampleRate = 48_000.0
  private static let framesAtATime = 2_400

  private let player: Player
  private let latency: Double
  private let calibration: HeadphoneCalibration
  private let keyboard = Keyboard()
  private let clock = ContinuousClock()

  init(player: Player, latency: Double, calibration: HeadphoneCalibration) throws(CommandFailure) {
    self.player = player
    self.latency = latency
    self.calibration = calibration
    Command.warn(
      "Press the space bar whenever you hear a tone, however soft. p pauses, q stops.")
  }

  func listen(
    to presentation: Presentation, number: Int
  ) throws(CommandFailure) -> ListeningOutcome {
    let sound: PresentationSound
    do {
      sound = try PresentationSound(
        presentation, calibration: calibration, sampleRate: Self.sampleRate)
    } catch {
      throw .badData(input: "the state", reason: error.description)
    }
    let presses = try play(sound.interleaved, marking: sound.onset)
    if presses.contains(.stop) || StopSignals.haveArrived { return .stop }
    // Without a keyboard, every tone would count as unheard.
    if keyboard.hasEnded {
      throw .noInput(path: "standard input", reason: "it has ended, so no key can be pressed")
    }
    if presses.contains(.pause) {
      try waitForKey("Paused. Press a key to go on.")
      return StopSignals.haveArrived ? .stop : .again
    }
    let times = presses.compactMap(\.time)
    let window = presentation.responseWindow / .seconds(1)
    let heard = times.first { (0...window).contains($0) }
    // A press immediately after the start of a presentation may be a late answer to the tone
    // before. Such a press does not count as a press in silence.
    let pressedInSilence = times.contains { $0 < 0 && $0 > -presentation.wait + latency }
    return .answer(
      ToneResponse(isHeard: heard != nil, pressedInSilence: pressedInSilence),
      after: heard.map { .seconds($0) })
  }

  private enum Press: Equatable {
    /// The time in seconds from the moment at which the person heard the onset of the tone until
    /// the press. It is negative if the press was before the onset.
    case space(Double)
    case pause
    case stop

    var time: Double? {
      if case .space(let time) = self { return time }
      return nil
    }
  }

  /// Plays the interleaved samples of both ears. Returns the keys that were pressed during
  /// playback.
  private func play(_ samples: [Float], marking onset: Int) throws(CommandFailure) -> [Press] {
    var position = 0
    var spaces: [ContinuousClock.Instant] = []
    var onsetTime: ContinuousClock.Instant?
    while position < samples.count * MemoryLayout<Float>.size {
      if StopSignals.haveArrived { return [.stop] }
      let result = unsafe samples.withUnsafeBytes { bytes -> Result<Int, CommandFailure> in
        let end = min(position + 8 * Self.framesAtATime, bytes.count)
        return Result { () throws(CommandFailure) in
          try unsafe player.write(
            UnsafeRawBufferPointer(rebasing: bytes[position..<end]), waiting: 10)
        }
      }
      position += try result.get()
      if onsetTime == nil, position >= 8 * onset { onsetTime = clock.now }
      for key in keyboard.keys(waiting: 0) {
        switch key {
        case " ": spaces.append(clock.now)
        case "p", "P": return [.pause]
        case "q", "Q": return [.stop]
        default: break
        }
      }
    }
    let start = onsetTime ?? clock.now
    return spaces.map { .space((start.duration(to: $0)) / .seconds(1) - latency) }
  }

  func waitForBreak(_ reason: PauseReason?) throws(CommandFailure) {
    switch reason {
    case .otherEar?: try waitForKey("Now the other ear. Press a key to go on.")
    case .ambientNoise?: try waitForKey("It is too loud here. Press a key once it is quiet.")
    case .calibrationChange?, nil:
      try waitForKey("Set the volume back to where it was, then press a key.")
    }
  }

  private func waitForKey(_ text: String) throws(CommandFailure) {
    ProgressLine.clear()
    Command.warn(text)
    while keyboard.keys(waiting: 100).isEmpty, !keyboard.hasEnded, !StopSignals.haveArrived {}
  }

  /// Plays samples, and returns the three digits that the listener types; nil if the listener stops
  /// the test.
  func typedDigits(after samples: [Float]) throws(CommandFailure) -> [Int]? {
    if try play(samples, marking: 0).contains(.stop) { return nil }
    var digits: [Int] = []
    while digits.count < 3 {
      if StopSignals.haveArrived || keyboard.hasEnded { return nil }
      for key in keyboard.keys(waiting: 100) where digits.count < 3 {
        if key == "q" || key == "Q" { return nil }
        if let digit = key.wholeNumberValue, (0...9).contains(digit) { digits.append(digit) }
      }
    }
    return digits
  }

  func end() { player.end() }
}
