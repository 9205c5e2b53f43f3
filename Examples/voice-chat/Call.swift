import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing
import HearingVoice
import Synchronization

/// A voice call with files as inputs and outputs.
///
/// It uses the same objects as a call in an app. A `VoiceProcessor` renders blocks of samples.
/// `CallParameters` control the processor. A `RenderEventMonitor` delivers the processor's events.
struct Call {
  private let options: ChatOptions
  private let microphone: CallInput
  /// The mean of both channels, for a microphone with two channels.
  private let mean: AudioBlock
  private let farVoice: CallInput
  private let otherAudio: CallInput
  private let playback: CallOutput
  private let uplink: CallOutput
  private let eventsFile: StagedFile?
  private let reportFile: StagedFile?
  private let processor: VoiceProcessor

  /// The number of frames per block. The output does not depend on this number.
  private static let blockSize = 512

  /// Opens all files before the rendering starts.
  init(_ options: ChatOptions) throws(CommandFailure) {
    self.options = options
    let capacity = Self.blockSize
    microphone = try CallInput(
      options.microphone, channelCount: nil, channelLimit: 2, capacity: capacity)
    mean = AudioBlock(channelCount: 1, capacity: capacity)
    farVoice = try CallInput(
      options.farVoice, channelCount: nil, channelLimit: 2, capacity: capacity)
    otherAudio = try CallInput(
      options.otherAudio, channelCount: 2, channelLimit: 2, capacity: capacity)
    let sampleRate = microphone.reader.format.sampleRate
    for input in [farVoice, otherAudio] where input.reader.format.sampleRate != sampleRate {
      throw .badData(
        input: input.path,
        reason: "\(input.reader.format.sampleRate) Hz, but \(microphone.path) has \(sampleRate) Hz")
    }
    do {
      processor = try VoiceProcessor(
        sampleRate: Double(sampleRate), farChannelCount: farVoice.block.channelCount,
        echoTail: options.tail, deviceDelay: options.delay)
    } catch {
      throw .badData(input: microphone.path, reason: error.description)
    }
    processor.echoPath.suppression = options.echoStrength
    playback = try CallOutput(
      options.playback, channelCount: 2, sampleRate: sampleRate, capacity: capacity)
    uplink = try CallOutput(
      options.uplink, channelCount: 1, sampleRate: sampleRate, capacity: capacity)
    eventsFile = try options.events.map { path throws(CommandFailure) in
      try StagedFile(for: path)
    }
    reportFile = try options.report.map { path throws(CommandFailure) in
      try StagedFile(for: path)
    }
  }

  /// Renders the call and completes the output files.
  func play() async throws(CommandFailure) -> CallSummary {
    let sampleRate = processor.sampleRate
    let parameters = CallParameters(for: processor)
    try await finish(parameters.isVoiceActivityDetectionEnabled.apply(true))
    try await finish(parameters.microphoneMode.apply(options.microphoneMode))
    try await finish(parameters.duckingLevel.apply(options.duckingLevel))
    try await finish(parameters.isAdvancedDuckingEnabled.apply(options.isAdvancedDuckingEnabled))

    let recorded = Mutex<[CallEvent]>([])
    let monitor = RenderEventMonitor()
    let listener = monitor.listen(to: processor.events) { event in
      guard let event = CallEvent(event, sampleRate: sampleRate) else { return }
      recorded.withLock { $0.append(event) }
    }
    let bar = ProgressBar()
    defer { bar.finish() }
    let mutes = MuteSchedule(options.mutes, sampleRate: sampleRate)
    var levels = CallLevels(sampleRate: sampleRate, latency: processor.uplinkLatency)
    var sound = reportFile.map { _ in CallSound(sampleRate: sampleRate) }
    var echo = processor.echoReport
    var position = 0
    while true {
      guard !StopSignals.haveArrived else {
        throw .cannotWrite(path: playback.path, reason: "stopped by a signal")
      }
      try await finish(parameters.isMuted.apply(mutes.isMuted(at: position)))
      let next = mutes.nextChange(after: position) ?? .max
      let count = try render(min(Self.blockSize, next - position))
      guard count > 0 else { break }
      let heard = mixedMicrophone()
      levels.add(
        microphone: heard, farVoice: farVoice.block, uplink: uplink.block,
        playback: playback.block)
      sound?.add(microphone: heard, uplink: uplink.block)
      // The last reports of a call may contain no measurement of the echo. Therefore the last
      // report with a measurement is used.
      let report = processor.echoReport
      if report.returnLoss != nil || echo.returnLoss == nil { echo = report }
      echo.problem = report.problem
      // Offline rendering has no timer, so the events are delivered after each block.
      monitor.drain()
      position += count
      bar.show(fraction: Double(position) / Double(max(position, frameCount)))
    }
    listener.cancel()
    let events = recorded.withLock { $0 }
    let history = CallHistory(
      seconds: Double(position) / sampleRate, events: events,
      muted: mutes.spans(until: position).map { span in
        Double(span.lowerBound) / sampleRate..<Double(span.upperBound) / sampleRate
      })
    let summary = CallSummary(
      history: history, levels: levels, echo: echo,
      controlsGain: options.microphoneMode.controlsGain, warnings: warnings)
    if let reportFile, let sound {
      try reportFile.write(CallReport(summary, sound: sound, options: options).data)
    }
    try finish(events)
    return summary
  }

  /// The microphone signal as one channel, for the report.
  private func mixedMicrophone() -> AudioBlock {
    let block = microphone.block
    guard block.channelCount == 2 else { return block }
    mean.frameCount = block.frameCount
    for frame in 0..<block.frameCount {
      unsafe mean.channels[0][frame] =
        0.5 * (block.channels[0][frame] + block.channels[1][frame])
    }
    return mean
  }

  /// The length in frames of the longest input.
  private var frameCount: Int {
    [microphone, farVoice, otherAudio].compactMap(\.reader.frameCount).max() ?? 0
  }

  /// Renders up to `limit` frames. Returns the number of frames that were read from the longest
  /// input.
  private func render(_ limit: Int) throws(CommandFailure) -> Int {
    var count = 0
    let inputs = [microphone, farVoice, otherAudio]
    for input in inputs { count = max(count, try input.read(limit)) }
    for input in inputs { input.block.frameCount = count }
    processor.process(
      microphone: microphone.block, farVoice: farVoice.block, otherAudio: otherAudio.block,
      uplink: uplink.block, playback: playback.block)
    try playback.write()
    try uplink.write()
    return count
  }

  /// Waits until a setting has been applied.
  private func finish<Value>(
    _ result: ResultPublisher<Value, ParameterError>
  ) async throws(CommandFailure) {
    do {
      _ = try await result.get()
    } catch {
      throw .badData(input: "the settings of the call", reason: "\(error)")
    }
  }

  private func finish(_ events: [CallEvent]) throws(CommandFailure) {
    if let eventsFile {
      var lines = Data()
      do {
        for event in events { lines += try event.line() }
      } catch {
        throw .cannotWrite(path: eventsFile.path, reason: "\(error)")
      }
      try eventsFile.write(lines)
    }
    try playback.finish()
    try uplink.finish()
    try eventsFile?.commit()
    try reportFile?.commit()
  }

  private var warnings: [String] {
    [microphone, farVoice, otherAudio].compactMap { input in
      input.reader.shortfallText.map { "\(input.path): \($0)" }
    }
  }
}
