import HearingDSP
import SignalTestSupport
import TestSupport
import XCTest

final class BandGainProcessorSpeedTests: XCTestCase {
  /// The time in ns per frame: the minimum of several passes over two seconds of sound.
  private func nanoseconds(
    channels: Int, layout: BandLayout, block: Int, signal: Bool = true, compressing: Bool = false
  ) throws -> Double {
    var generator = SeededGenerator(seed: 1)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: channels), layout: layout)
    let gains = (0..<channels).map { _ in
      Signals.hearingLikeGains(centers: layout.centers, using: &generator).map { $0 / 2 }
    }
    var settings = ProcessorSettings(
      gains: gains, outputCeiling: 140, allowsOutputAboveFullScale: true)
    if compressing {
      let curve = try Curves.compressing(ratio: 3, gainAt65: 20)
      settings.curves = gains.map { $0.map { _ in curve } }
    }
    try processor.apply(settings)
    let frameCount = 8_192
    let passes = 12
    let memory = (0..<channels).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
    }
    defer { memory.forEach { $0.deallocate() } }
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<40 {
      var total = 0.0
      for _ in 0..<passes {
        for pointer in memory {
          for index in 0..<frameCount {
            pointer[index] = signal ? Float.random(in: -0.01...0.01, using: &generator) : 0
          }
        }
        var pointers = memory
        let duration = clock.measure {
          pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var done = 0
            while done < frameCount {
              let count = min(block, frameCount - done)
              processor.process(base, frameCount: count)
              for channel in 0..<channels { base[channel] += count }
              done += count
            }
          }
        }
        total += Double(duration.components.attoseconds) * 1e-9
      }
      best = min(best, total / Double(frameCount * passes))
    }
    return best
  }

  /// Measures up to three times, until the time is below the limit: other programs on the machine
  /// can disturb a measurement. The limits are only coarse. The benchmarks measure the exact cost.
  private func check(
    _ name: String, limit: Double, _ measure: () throws -> Double, line: UInt = #line
  ) rethrows {
    var best = Double.infinity
    for _ in 0..<3 where best >= limit { best = min(best, try measure()) }
    print("\(name): \(best) ns a frame")
    XCTAssertLessThan(best, limit, name, line: line)
  }

  func test_process_tenBandsStereo_staysWithinItsTimeLimit() throws {
    guard !Signals.isDebugBuild else { throw XCTSkip("timing needs a release build") }
    for block in [1, 16, 64, 512, 4096] {
      try check("linear, 10 bands, stereo, blocks of \(block)", limit: block == 1 ? 400 : 60) {
        try nanoseconds(channels: 2, layout: .audiometric, block: block)
      }
    }
    for block in [1, 64, 512, 4096] {
      try check("compression, 10 bands, stereo, blocks of \(block)", limit: block == 1 ? 800 : 200)
      {
        try nanoseconds(channels: 2, layout: .audiometric, block: block, compressing: true)
      }
    }
    for channels in [1, 2, 4, 8] {
      let time = try nanoseconds(channels: channels, layout: .audiometric, block: 64)
      print("10 bands, \(channels) channels, blocks of 64: \(time) ns a frame")
    }
    for bands in [1, 4, 10, 16, 32] {
      let layout = try BandLayout(
        centers: (0..<bands).map { 200 * pow(2, Double($0) * 5.5 / Double(bands)) })
      let time = try nanoseconds(channels: 2, layout: layout, block: 64)
      print("\(bands) bands, stereo, blocks of 64: \(time) ns a frame")
    }
    let silence = try nanoseconds(channels: 2, layout: .audiometric, block: 64, signal: false)
    print("silence: \(silence) ns a frame")
  }

  func test_apply_andTransitions_stayWithinTheirTimeLimit() throws {
    guard !Signals.isDebugBuild else { throw XCTSkip("timing needs a release build") }
    var generator = SeededGenerator(seed: 2)
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: 48_000, channelCount: 2))
    let settings = (0..<64).map { _ in
      ProcessorSettings(
        gains: (0..<2).map { _ in
          Signals.hearingLikeGains(centers: processor.layout.centers, using: &generator)
        })
    }
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<20 {
      let duration = try clock.measure {
        for setting in settings { try processor.apply(setting) }
      }
      best = min(best, Double(duration.components.attoseconds) * 1e-12 / 64)
    }
    print("apply, 10 bands, stereo: \(best) µs")
    XCTAssertLessThan(best, 100)
    // A new transition begins in every block, so the coefficients always change.
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0, count: 128)
    var moving = 0.0
    for setting in settings {
      try processor.apply(setting)
      for index in 0..<128 { memory[index] = Float.random(in: -0.01...0.01, using: &generator) }
      let duration = clock.measure { processor.processInterleaved(memory, frameCount: 64) }
      moving += Double(duration.components.attoseconds) * 1e-9 / 64
    }
    print("moving all the time, blocks of 64: \(moving / 64) ns a frame")
  }
}
