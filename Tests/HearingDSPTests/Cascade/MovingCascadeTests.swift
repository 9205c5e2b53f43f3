import TestSupport
import XCTest

@testable import HearingDSP

final class MovingCascadeTests: XCTestCase {
  private func target(_ gains: [Double], vector: Int) -> LaneTarget {
    var target = LaneTarget()
    for lane in 0..<4 {
      let frequency = 150 * Double(vector * 4 + lane + 1)
      let prototype = SectionPrototype(frequency: frequency, quality: 1.1, sampleRate: 48_000)
      if vector == 0 && lane < 2 {
        target.setLowShelf(prototype, gain: gains[vector * 4 + lane], lane: lane)
      } else {
        target.setBell(prototype, gain: gains[vector * 4 + lane], lane: lane)
      }
    }
    return target
  }

  /// One section after another in double precision, its coefficients on a straight line from
  /// `start` to `end`.
  private func textbook(
    _ start: [LaneTarget], _ end: [LaneTarget], _ samples: [Float]
  ) -> [Double] {
    var output = samples.map(Double.init)
    let length = Double(samples.count)
    for lane in 0..<4 {
      for (first, last) in zip(start, end) {
        func line(_ value: (LaneTarget) -> Lanes, _ share: Double) -> Double {
          let (low, high) = (Double(value(first)[lane]), Double(value(last)[lane]))
          return low + (high - low) * share
        }
        var (s1, t2) = (0.0, 0.0)
        for index in output.indices {
          let share = Double(index + 1) / length
          let (a, g) = (line({ $0.a }, share), line({ $0.g }, share))
          let (n, p) = (line({ $0.n }, share), line({ $0.p }, share))
          let v = a * (s1 + g * output[index] - t2)
          output[index] += n * v + p * t2
          s1 = v - s1
          t2 += g * g * v
        }
      }
    }
    return output
  }

  private func run(
    _ start: [LaneTarget], _ end: [LaneTarget], _ input: [Float], blocks: [Int]
  ) -> ([Float], [Float]) {
    let depth = start.count
    let sections = UnsafeMutablePointer<LaneSections>.allocate(capacity: 2 * depth)
    let motions = UnsafeMutablePointer<LaneMotion>.allocate(capacity: 2 * depth)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * input.count)
    defer {
      sections.deallocate()
      motions.deallocate()
      samples.deallocate()
    }
    for channel in 0..<2 {
      for index in 0..<depth {
        var section = LaneSections()
        section.adopt(start[index])
        var motion = LaneMotion()
        motion.head(for: end[index], from: section, stride: 1 / Float(input.count))
        (sections + channel * depth + index).initialize(to: section)
        (motions + channel * depth + index).initialize(to: motion)
      }
      (samples + channel * input.count).initialize(from: input, count: input.count)
    }
    var done = 0
    var turn = 0
    while done < input.count {
      let count = min(blocks[turn % blocks.count], input.count - done)
      turn += 1
      MovingCascade.run(
        depth: depth, left: samples + done, right: samples + input.count + done, count: count,
        leftSections: sections, rightSections: sections + depth, leftMotions: motions,
        rightMotions: motions + depth)
      done += count
    }
    return (
      Array(UnsafeBufferPointer(start: samples, count: input.count)),
      Array(UnsafeBufferPointer(start: samples + input.count, count: input.count))
    )
  }

  func test_run_equalsTextbookFilterWithMovingCoefficients() {
    var generator = SeededGenerator(seed: 71)
    for depth in 1...3 {
      let first = (0..<12).map { _ in Double.random(in: -10...20, using: &generator) }
      let second = (0..<12).map { _ in Double.random(in: -10...20, using: &generator) }
      let start = (0..<depth).map { target(first, vector: $0) }
      let end = (0..<depth).map { target(second, vector: $0) }
      let input = Signals.noise(count: 256, using: &generator)
      let expected = textbook(start, end, input)
      let peak = expected.reduce(0) { max($0, abs($1)) }
      let whole = run(start, end, input, blocks: [256])
      XCTAssertEqual(Signals.bits(whole.0), Signals.bits(whole.1))
      for (sample, reference) in zip(whole.0, expected) {
        XCTAssertEqual(Double(sample), reference, accuracy: 1e-4 * peak)
      }
      for blocks in [[1], [2], [3], [4], [5, 1, 60]] {
        let split = run(start, end, input, blocks: blocks)
        XCTAssertEqual(Signals.bits(split.0), Signals.bits(whole.0), "\(depth), \(blocks)")
      }
    }
  }
}
