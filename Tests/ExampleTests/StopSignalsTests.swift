import Foundation
import HearingAudio
import TestSupport
import XCTest

/// Sends stop signals to commands that process data, and to commands that wait for input.
final class StopSignalsTests: XCTestCase {
  func test_firstStopSignal_endsTheCommand_andLeavesNoUnfinishedFile() throws {
    // A terminal that closes sends SIGHUP more than once.
    for signals in [[SIGINT], [SIGTERM], [SIGHUP, SIGHUP]] {
      let folder = try ScratchFolder()
      let (render, writer) = try renderFromAPipe(in: folder)
      defer { close(writer) }
      for number in signals { render.send(signal: number) }
      try writeSilence(to: writer, of: render)
      XCTAssertEqual(try render.exitCode(), 74, "\(signals)")
      XCTAssertEqual(
        try render.errorLine(), "hearing-render: cannot write \"out.wav\": stopped by a signal")
      XCTAssertEqual(try folder.names(), ["in.wav"])
    }
  }

  func test_hangUpSignal_isIgnored_withNohup() throws {
    let previous = signal(SIGHUP, SIG_IGN)
    defer { signal(SIGHUP, previous) }
    let folder = try ScratchFolder()
    let (render, writer) = try renderFromAPipe(in: folder)
    render.send(signal: SIGHUP)
    try writeSilence(to: writer, of: render)
    close(writer)
    XCTAssertEqual(try render.exitCode(), 0)
    XCTAssertEqual(try folder.names(), ["in.wav", "out.wav"])
  }

  func test_secondStopSignal_endsACommandThatWaitsForInput() throws {
    for number in [SIGINT, SIGTERM] {
      let folder = try ScratchFolder()
      let (render, writer) = try renderFromAPipe(in: folder)
      defer { close(writer) }
      try render.sendUntilItEnds(signal: number)
      XCTAssertEqual(try render.exitCode(), -number)
      XCTAssertEqual(try folder.names(), ["in.wav"])
    }
  }

  func test_oneStopSignal_endsACommandThatWaitsForThePartnerOfAPipe() throws {
    let commands = [
      ("hearing-render", ["0", "out.wav", "--quiet"], SIGTERM),
      ("hearing-test", ["--simulate", "N2", "--quiet", "--calibration", "1"], SIGTERM),
      ("hearing-test", ["--simulate", "N2", "--quiet", "--save", "2"], SIGTERM),
      // This command has its own signal handler. One SIGHUP must end it, because after closing the
      // terminal, the user cannot send a second signal.
      (
        "hearing-live",
        ["--rate", "8000", "--channels", "1", "--format", "u8", "--audiogram", "3"], SIGHUP
      ),
    ]
    let folder = try ScratchFolder()
    let pipes: Set = ["0", "1", "2", "3"]
    for name in pipes { XCTAssertEqual(mkfifo(folder.path(name), 0o600), 0) }
    let started = try commands.map { try RunningExecutable($0.0, $0.1, in: folder.url) }
    // Before a command has installed its signal handlers, a signal ends it immediately. Therefore
    // the test waits for the handlers.
    for (command, (_, _, signal)) in zip(started, commands) {
      #if os(Linux)
        try command.wait(until: "it handles signals") { command.handles(signal: signal) }
      #else
        Thread.sleep(forTimeInterval: 1)
      #endif
      XCTAssertFalse(command.hasEnded)
      command.send(signal: signal)
    }
    for (command, (name, arguments, signal)) in zip(started, commands) {
      XCTAssertEqual(try command.exitCode(), -signal, "\(name) \(arguments)")
    }
    XCTAssertEqual(try folder.names(), pipes)
  }

  /// Starts a program that reads a pipe. Returns the program and a non-blocking descriptor. The
  /// test writes to the pipe through this descriptor.
  private func renderFromAPipe(
    in folder: ScratchFolder
  ) throws -> (render: RunningExecutable, writer: Int32) {
    XCTAssertEqual(mkfifo(folder.path("in.wav"), 0o600), 0)
    let render = try RunningExecutable(
      "hearing-render", ["in.wav", "out.wav", "--quiet"], in: folder.url)
    var writer: Int32 = -1
    // The program installs its signal handlers and then opens the pipe. Opening the pipe for
    // writing fails until then. Therefore, when `open` succeeds, a signal no longer ends the
    // process immediately.
    try render.wait(until: "it opens the pipe") {
      writer = open(folder.path("in.wav"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return writer >= 0
    }
    return (render, writer)
  }

  /// Writes a WAV file of 50 s to a pipe. Stops early if the program ends.
  private func writeSilence(to writer: Int32, of program: RunningExecutable) throws {
    let format = WAVFormat(sampleRate: 8_000, channelCount: 1, encoding: .uint8)
    var sound = Data(
      try WAVWriter.bytes(of: [[Float](repeating: 0, count: 400_000)], format: format))
    try program.wait(until: "it reads the pipe") {
      let count = sound.prefix(4_096).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
      sound = sound.dropFirst(max(0, count))
      return sound.isEmpty || program.hasEnded
    }
  }
}
