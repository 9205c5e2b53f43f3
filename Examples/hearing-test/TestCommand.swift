import ExampleSupport
import Foundation
import HearingAudiometry
import HearingFitting
import HearingReport

/// Reads the command line, runs the test, and writes and prints the result.
struct TestCommand {
  private let options: TestOptions

  init(arguments: some Sequence<String>) throws(CommandFailure) {
    do {
      options = try TestOptions(arguments: arguments)
    } catch {
      throw .usage(error)
    }
  }

  func run() throws(CommandFailure) {
    // Without this line, writing to a player that has ended would end this program. With this line,
    // writing returns an error.
    signal(SIGPIPE, SIG_IGN)
    StopSignals.watch()
    if let folder = options.digitsFolder {
      return try DigitsRun(options, folder: folder).run()
    }
    var test = try makeTest()
    try checkConsent(test.calibration)
    try checkOutputs()
    let state = StateFile(path: options.statePath)
    if options.resumePath != options.statePath { try state.checkNothingIsLost() }
    try state.write(test.jsonData())
    let listener = try makeListener(for: test)
    try run(&test, listener, state)
    listener.end()
    var profile = test.profile
    profile.measuredAt = Date()
    if options.listener != nil { profile.method = .simulation }
    let written = try write(profile)
    try Command.print(ResultText(test: test, profile: profile).text + state.written + written)
  }

  private func makeTest() throws(CommandFailure) -> ToneTest {
    if let path = options.resumePath {
      let data = try InputFile(path).data(limit: StateFile.sizeLimit)
      do {
        return try ToneTest(json: data)
      } catch {
        throw CommandFailure(error, reading: path)
      }
    }
    let other: Ear = options.firstEar == .left ? .right : .left
    do {
      return try ToneTest(
        method: options.method.method, frequencies: options.frequencies,
        calibration: try calibration(), ears: [options.firstEar, other],
        tone: options.tone.shape, seed: options.seed)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .badData(input: options.calibrationPath ?? "--frequencies", reason: "\(error)")
    }
  }

  /// Checks that the results can be written, so that an invalid path is reported before the test
  /// instead of after it.
  private func checkOutputs() throws(CommandFailure) {
    for path in [options.profilePath, options.reportPath] {
      guard let path else { continue }
      let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type]
      // Pipes and devices are not checked here. They are opened only when the result is written.
      guard type == nil || type as? FileAttributeType == .typeRegular else { continue }
      _ = try StagedFile(for: path)
    }
  }

  /// Checks that a report is permitted. A report contains a fitting, which requires a calibration
  /// or the listener's consent.
  private func checkConsent(_ calibration: HeadphoneCalibration) throws(CommandFailure) {
    guard options.player != nil, options.reportPath != nil, !options.fitsUncalibrated,
      !calibration.isCalibrated
    else { return }
    throw .usage(
      .missingCompanion(option: "--report", needs: "--calibration or --fit-uncalibrated"))
  }

  private func calibration() throws(CommandFailure) -> HeadphoneCalibration {
    if let path = options.calibrationPath {
      let data = try InputFile(path).data(limit: 1024 * 1024)
      do {
        return try HeadphoneCalibration(json: data)
      } catch {
        throw CommandFailure(error, reading: path)
      }
    }
    guard options.listener != nil else { return .uncalibrated() }
    do {
      // The levels of a simulated headphone are known exactly.
      return try HeadphoneCalibration(
        name: "simulated headphone", referenceThresholds: .hda200,
        fullScaleLevels: Dictionary(
          uniqueKeysWithValues: ToneTest.standardFrequencies.map { ($0, 120) }))
    } catch {
      preconditionFailure("a simulated headphone that is no calibration: \(error)")
    }
  }

  private func makeListener(for test: ToneTest) throws(CommandFailure) -> any TestListener {
    if let name = options.listener {
      return SimulatedAnswers(
        profile: try HearingProfile(argument: name), seed: options.seed)
    }
    guard let player = options.player else { preconditionFailure("nobody listens") }
    let person = try PersonAnswers(
      player: try Player(command: player), latency: options.latency,
      calibration: test.calibration)
    if !test.calibration.isCalibrated { TestOptions.volume.forEach(Command.warn) }
    return person
  }

  /// Runs the test until it ends. Saves the state after each answer.
  private func run(
    _ test: inout ToneTest, _ listener: any TestListener, _ state: StateFile
  ) throws(CommandFailure) {
    let progress = ProgressLine(isWanted: !options.isQuiet)
    defer { progress.end() }
    while true {
      if StopSignals.haveArrived { throw state.stopped }
      switch test.next {
      case .finished:
        return
      case .pause:
        let reason = test.pauseReason
        try listener.waitForBreak(reason)
        test.resume()
      case .present(let presentation):
        switch try listener.listen(to: presentation, number: test.trials.count) {
        case .answer(let response, let delay):
          do {
            try test.answer(response, after: delay)
          } catch {
            preconditionFailure("an answer that was asked for is refused: \(error)")
          }
          try state.write(test.jsonData())
          progress.show(test)
        case .again:
          continue
        case .stop:
          throw state.stopped
        }
      }
    }
  }

  /// Writes the files, and returns the text to print about them.
  private func write(_ profile: HearingProfile) throws(CommandFailure) -> String {
    var files: [StagedFile] = []
    if let path = options.profilePath {
      let file = try StagedFile(for: path)
      try file.write(profile.jsonData())
      files.append(file)
    }
    if let path = options.reportPath {
      let file = try StagedFile(for: path)
      try file.write(try report(on: profile).data)
      files.append(file)
    }
    return try StagedFile.commit(files)
  }

  private func report(on profile: HearingProfile) throws(CommandFailure) -> ReportPage {
    do {
      let preset = try Fitting.techLevel(3).preset(for: profile)
      return ReportPage.fitting(
        profile: profile, preset: preset,
        title: profile.method == .simulation ? "A simulated hearing test" : "Your hearing test")
    } catch {
      throw .badData(input: "the result", reason: "\(error)")
    }
  }
}
