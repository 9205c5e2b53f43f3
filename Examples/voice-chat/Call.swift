import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingVoice
import HearingProcessing
import Synchronization

/// A call from files to files, carried as an app would: the processor renders blocks, parameters
/// with applicators drive it, and a monitor tells what it publishes.
struct Call {
  private let options: ChatOptions
  private let microphone: CallInput
  private let farVoice: CallInput
  private let otherAudio: CallInput
  private let playback: CallOutput
  private let uplink: CallOutput
  private let eventsFile: StagedFile?
  private let processor: VoiceProcessor

  /// Frames rendered at a time; any other number gives the same.
  private static let blockSize = 512

  /// Opens all files, before anything is played.
  init(_ options: ChatOptions) throws(CommandFailure) {
    self.options = options
    let capacity = Self.blockSize
    microphone = try CallInput(
      options.microphone, channelCount: 1, channelLimit: .max, capacity: capacity)
    farVoice = try CallInput(
      options.farVoice, channelCount: nil, channelLimit: 2, capacity: capacity)
    otherAudio = try CallInput(
      options.otherAudio, channelCount: 2, channelLimit: 2, capacity: capacity)
    let sampleRate = microphone.reader.format.sampleRate
    for input in [farVoice, otherAudio] where input.reader.format.sampleRate != sampleRate {
      throw .badData(
        place: input.path,
        reason: "\(input.reader.format.sampleRate) Hz, but \(microphone.path) has \(sampleRate) Hz")
    }
    do {
      processor = try VoiceProcessor(
        sampleRate: Double(sampleRate), farChannelCount: farVoice.block.channelCount)
    } catch {
      throw .badData(place: microphone.path, reason: error.description)
    }
    playback = try CallOutput(
      options.playback, channelCount: 2, sampleRate: sampleRate, capacity: capacity)
    uplink = try CallOutput(
      options.uplink, channelCount: 1, sampleRate: sampleRate, capacity: capacity)
    eventsFile = try options.events.map { path throws(CommandFailure) in
      try StagedFile(for: path)
    }
  }

  /// Plays it, and puts the files in their places.
  func play() async throws(CommandFailure) -> CallSummary {
    let sampleRate = processor.sampleRate
    let parameters = CallParameters(for: processor)
    processor.isVoiceActivityDetectionEnabled = true
    try await put(parameters.duckingLevel.apply(options.duckingLevel))
    try await put(parameters.isAdvancedDuckingEnabled.apply(options.isAdvancedDuckingEnabled))

    let heard = Mutex<[CallEvent]>([])
    let monitor = RenderEventMonitor()
    let listener = monitor.listen(to: processor) { event in
      guard let event = CallEvent(event, sampleRate: sampleRate) else { return }
      heard.withLock { $0.append(event) }
    }
    let mutes = MuteSchedule(options.mutes, sampleRate: sampleRate)
    var position = 0
    while true {
      guard !StopSignals.haveArrived else {
        throw .cannotWrite(path: playback.path, reason: "stopped by a signal")
      }
      try await put(parameters.isMuted.apply(mutes.isMuted(at: position)))
      let next = mutes.nextChange(after: position) ?? .max
      let count = try render(min(Self.blockSize, next - position))
      guard count > 0 else { break }
      // Nothing waits for time to pass here: what was published is told after each block.
      monitor.drain()
      position += count
    }
    listener.cancel()
    let events = heard.withLock { $0 }
    try finish(events)
    return CallSummary(
      seconds: Double(position) / sampleRate, events: events, warnings: warnings)
  }

  /// Renders up to so many frames, as long as any input has some left; returns how many.
  private func render(_ wanted: Int) throws(CommandFailure) -> Int {
    var count = 0
    let inputs = [microphone, farVoice, otherAudio]
    for input in inputs { count = max(count, try input.read(wanted)) }
    for input in inputs { input.block.frameCount = count }
    processor.process(
      microphone: microphone.block, farVoice: farVoice.block, otherAudio: otherAudio.block,
      uplink: uplink.block, playback: playback.block)
    try playback.write()
    try uplink.write()
    return count
  }

  /// Waits until a parameter has its value.
  private func put<Value>(
    _ result: ResultPublisher<Value, ParameterError>
  ) async throws(CommandFailure) {
    do {
      _ = try await result.get()
    } catch {
      throw .badData(place: "the call's settings", reason: "\(error)")
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
  }

  private var warnings: [String] {
    [microphone, farVoice, otherAudio].compactMap { input in
      input.reader.shortfall.map { "\(input.path): \($0)" }
    }
  }
}
