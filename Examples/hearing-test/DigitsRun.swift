import ExampleSupport
import Foundation
import HearingAudio
import HearingAudiometry
import HearingFitting

/// Runs the digits-in-noise test with recorded digits.
struct DigitsRun {
  private let options: TestOptions
  private let folder: String

  /// The level of the noise in dB relative to full scale.
  private static let noiseLevel = -32.0

  init(_ options: TestOptions, folder: String) {
    self.options = options
    self.folder = folder
  }

  func run() throws(CommandFailure) {
    let recordings = try recordings()
    let state = StateFile(path: options.statePath)
    var test = try makeTest()
    if options.resumePath != options.statePath { try state.checkNothingIsLost() }
    try state.write(test.jsonData())
    let person = try options.player.map { (command) throws(CommandFailure) in
      Command.warn(
        "Type the three digits that you hear. The player gets "
          + "\(Int(recordings.sampleRate)) Hz, stereo. q stops.")
      return try PersonAnswers(
        player: try Player(command: command), latency: options.latency,
        calibration: .uncalibrated())
    }
    while let triplet = test.next {
      if StopSignals.haveArrived { throw state.stopped }
      let number = UInt64(test.answers.count)
      let typed: [Int]?
      if let person {
        let sound = recordings.sound(
          of: triplet, noiseLevel: Self.noiseLevel, seed: options.seed &+ number)
        typed = try person.typedDigits(after: sound.flatMap { [$0, $0] })
      } else {
        var listener = SimulatedListener(
          profile: HearingProfile(), seed: options.seed &* 1000 &+ number)
        typed = listener.understand(triplet, threshold: try simulatedThreshold())
      }
      guard let typed else { throw state.stopped }
      do {
        try test.answer(typed)
      } catch {
        preconditionFailure("three digits are refused: \(error)")
      }
      try state.write(test.jsonData())
    }
    person?.end()
    guard let result = test.result else { return }
    let tenths = (result.threshold * 10).rounded() / 10
    try Command.print(
      "speech reception threshold: \(tenths) dB SNR, "
        + "± \((result.standardError * 10).rounded() / 10) dB\n"
        + (test.hasReachedLimit
          ? "Do not rely on this result: the digits reached the softest or the loudest level.\n"
          : "")
        + state.written)
  }

  private func makeTest() throws(CommandFailure) -> DigitsInNoiseTest {
    guard let path = options.resumePath else { return DigitsInNoiseTest(seed: options.seed) }
    let data = try InputFile(path).data(limit: StateFile.sizeLimit)
    do {
      return try DigitsInNoiseTest(json: data)
    } catch {
      throw CommandFailure(error, reading: path)
    }
  }

  /// A plausible threshold in dB SNR for the simulated listener. It rises by 0.15 dB for each dB of
  /// average hearing loss in the better ear.
  private func simulatedThreshold() throws(CommandFailure) -> Double {
    guard let name = options.listener else { return 0 }
    let assessment = HearingAssessment(of: try HearingProfile(argument: name))
    let average = min(assessment.leftAverage ?? 0, assessment.rightAverage ?? 0)
    return -10 + 0.15 * average
  }

  private func recordings() throws(CommandFailure) -> DigitRecordings {
    var digits: [[Float]] = []
    var sampleRate: Double?
    for digit in 0...9 {
      let path = "\(folder)/\(digit).wav"
      guard FileManager.default.fileExists(atPath: path) else {
        throw .noInput(
          path: path,
          reason: "no such file; --digits needs recordings 0.wav to 9.wav, and none are shipped")
      }
      do {
        let reader = try WAVReader(path: path)
        guard sampleRate ?? reader.sampleRate == reader.sampleRate else {
          throw CommandFailure.badData(
            input: path, reason: "another sample rate than the digits before")
        }
        sampleRate = reader.sampleRate
        digits.append(try Self.firstChannel(of: reader))
      } catch let error as WAVReadError {
        throw CommandFailure(error, reading: path)
      } catch let error as CommandFailure {
        throw error
      } catch {
        preconditionFailure("an unknown error: \(error)")
      }
    }
    do {
      return try DigitRecordings(samples: digits, sampleRate: sampleRate ?? 0)
    } catch {
      throw .badData(input: folder, reason: error.description)
    }
  }

  private static func firstChannel(of reader: WAVReader) throws -> [Float] {
    let block = AudioBlock(channelCount: reader.channelCount, capacity: 4_096)
    var samples: [Float] = []
    while try reader.read(into: block) > 0 {
      unsafe samples.append(
        contentsOf: UnsafeBufferPointer(start: block.channels[0], count: block.frameCount))
      // `DigitRecordings` refuses a recording of more than 5 s. Therefore reading stops after 6 s.
      if Double(samples.count) > 6 * reader.sampleRate { break }
    }
    return samples
  }
}
