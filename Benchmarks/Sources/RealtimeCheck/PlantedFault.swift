import Foundation
import HearingAudio
import HearingVoice

/// Forbidden calls that the sanitizer must report. Each call runs in a separate process.
enum PlantedFault: String, CaseIterable {
  case allocation
  case lock
  case file
  case sleep
  /// A function of an app that processes the uplink of a call and appends to an array.
  case appendingStage = "appending-stage"

  static func run(_ name: String) throws {
    guard let fault = PlantedFault(rawValue: name) else {
      throw CheckFailure("no fault \"\(name)\"")
    }
    switch fault {
    case .allocation:
      realtime { free(malloc(Int.random(in: 100...200))) }
    case .lock:
      let lock = NSLock()
      realtime {
        lock.lock()
        lock.unlock()
      }
    case .file:
      realtime { if let file = fopen("/dev/null", "r") { fclose(file) } }
    case .sleep:
      realtime { _ = usleep(1) }
    case .appendingStage:
      try appendInAStage()
    }
  }

  private static func appendInAStage() throws {
    let recorded = UnsafeMutablePointer<[Float]>.allocate(capacity: 1)
    recorded.initialize(to: [])
    let stage = UplinkStage(context: recorded) { context, samples, count in
      let recorded = context?.assumingMemoryBound(to: [Float].self)
      recorded?.pointee.append(contentsOf: UnsafeBufferPointer(start: samples, count: count))
    }
    let processor = try VoiceProcessor(sampleRate: 48_000, uplinkStages: [stage])
    let block = AudioBlock(channelCount: 1, capacity: 480)
    let stereo = AudioBlock(channelCount: 2, capacity: 480)
    block.frameCount = 480
    stereo.frameCount = 480
    realtime {
      processor.process(
        microphone: block, farVoice: block, otherAudio: stereo, uplink: block, playback: stereo)
    }
  }
}
