import BenchmarkSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// Compares the cost of the plugin's `run` with the cost of a processor with the same settings.
struct PluginCost {
  private let plugin: LADSPAPlugin
  private let loading: Duration
  private let sound: AudioBlock

  /// Loads the shared library at `path`.
  init(path: String) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    guard let plugin = LADSPAPlugin(path: path) else {
      throw BenchmarkFailure.noInput("\(path): no plugin")
    }
    loading = clock.now - begin
    self.plugin = plugin
    // The RMS level of the noise is about −20 dB relative to an RMS of 1.0.
    var random = RandomNumbers(seed: 1)
    sound = AudioBlock(
      (0..<2).map { _ in (0..<48_000).map { _ in Float(random.number(in: -0.17...0.17)) } })
  }

  /// Prints both costs for blocks of 256 frames. The rounds of the plugin and of the processor
  /// alternate.
  func run() throws {
    let processor = try processor()
    let block = AudioBlock(channelCount: 2, capacity: 256)
    block.frameCount = 256
    let instance = try instance(block)
    defer { plugin.end(instance) }
    let render = plugin.run
    var costs = [[Double]](repeating: [], count: 3)
    for _ in 0..<60 {
      costs[0].append(nanoseconds(block) { processor.process(block) })
      costs[1].append(nanoseconds(block) { render(instance, 256) })
      costs[2].append(nanoseconds(block) {})
    }
    let best = costs.map { $0.min() ?? .nan }
    let cost = (best[0] - best[2], best[1] - best[2])
    print(
      "loading: \(loading)\nns per stereo frame at 256 frames: BandGainProcessor "
        + "\(cost.0.digits(2)), plugin \(cost.1.digits(2)), ratio \((cost.1 / cost.0).digits(3))")
  }

  /// The time per frame in ns, if the sound is processed block by block.
  private func nanoseconds(_ block: AudioBlock, _ process: () -> Void) -> Double {
    let frames = sound.frameCount / block.frameCount * block.frameCount
    let time = ContinuousClock().measure {
      for position in stride(from: 0, to: frames, by: block.frameCount) {
        for channel in 0..<2 {
          block.channels[channel].update(
            from: sound.channels[channel] + position, count: block.frameCount)
        }
        process()
      }
    }
    return time / .nanoseconds(1) / Double(frames)
  }

  private func processor() throws -> BandGainProcessor {
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2), layout: .audiometric)
    let audiogram = try Audiogram(
      points: Self.thresholds.map { .init(frequency: $0.key, threshold: Double($0.value)) })
    let preset = try Fitting(techLevel: 3).preset(
      for: HearingProfile(left: audiogram, right: audiogram))
    try processor.apply(
      ProcessorSettings(preset: preset, layout: processor.layout, ears: [.left, .right]))
    return processor
  }

  /// An active instance. Its audio ports are connected to the channels of the block.
  private func instance(_ block: AudioBlock) throws -> LADSPAPlugin.Instance {
    guard let instance = plugin.instance(sampleRate: 48_000) else {
      throw BenchmarkFailure.badData("the plugin makes no instance")
    }
    for port in 0..<4 { plugin.connect(instance, port, block.channels[port % 2]) }
    let thresholds = Self.thresholds.sorted { $0.key < $1.key }.map(\.value)
    // The first controls mean: enabled, no saved files, intensity 1, full scale 100 dB SPL, speech.
    // They are followed by the thresholds of both ears and four output ports.
    let controls = [1, 0, 0, 1, 100, 0] + thresholds + thresholds + [0, 0, 0, 0]
    for (index, value) in controls.enumerated() {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1)
      memory.initialize(to: value)
      plugin.connect(instance, 4 + index, memory)
    }
    plugin.activate(instance)
    return instance
  }

  /// The thresholds of the standard audiogram N3 in dB HL, at the plugin's frequencies in Hz.
  private static let thresholds: [Double: Float] = [
    250: 35, 500: 35, 1_000: 35, 2_000: 45, 3_000: 50, 4_000: 55, 6_000: 60, 8_000: 65,
  ]
}
