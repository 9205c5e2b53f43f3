import TestSupport
import XCTest

@testable import HearingDSP

final class SettledCascadeTests: XCTestCase {
  /// Twelve, eight or four sections with random gains.
  private func targets(
    depth: Int, using generator: inout SeededGenerator
  ) -> [LaneTarget] {
    (0..<depth).map { vector in
      var target = LaneTarget()
      for lane in 0..<4 {
        let prototype = SectionPrototype(
          frequency: Double.random(in: 100...12_000, using: &generator),
          quality: Double.random(in: 0.4...4, using: &generator), sampleRate: 48_000)
        let gain = Double.random(in: -20...30, using: &generator)
        if vector == 0 && lane < 2 {
          target.setLowShelf(prototype, gain: gain, lane: lane)
        } else {
          target.setBell(prototype, gain: gain, lane: lane)
        }
      }
      return target
    }
  }

  /// One section after another, one sample after another: what the skewed cascade must equal.
  private func reference(_ targets: [LaneTarget], _ samples: [Float]) -> [Float] {
    var output = samples
    for lane in 0..<4 {
      for target in targets {
        let (g, n, p) = (target.g[lane], target.n[lane], target.p[lane])
        let a = 2 / (1 + g * (g + target.k[lane]))
        let b = a * g
        let c = g * g
        let d = 1 + n * b
        let e = n * a * b
        let f = p * b
        var (s1, t2) = (Float(0), Float(0))
        for index in output.indices {
          let x = output[index]
          let q = s1 - t2
          let v = a * q + x
          output[index] = d * x + (e * q + f * t2)
          s1 = v - s1
          t2 += c * v
        }
      }
    }
    return output
  }

  /// The textbook form of a section in double precision.
  private func textbook(_ targets: [LaneTarget], _ samples: [Float]) -> [Double] {
    var output = samples.map(Double.init)
    for target in targets {
      for lane in 0..<4 {
        let (g, k) = (Double(target.g[lane]), Double(target.k[lane]))
        let lowPass = Double(target.p[lane]) * g
        let bandPass = 2 * Double(target.n[lane]) - lowPass * g
        var (s1, s2) = (0.0, 0.0)
        for index in output.indices {
          let v3 = output[index] - s2
          let v1 = (s1 + g * v3) / (1 + g * (g + k))
          let v2 = s2 + g * v1
          output[index] += bandPass * v1 + lowPass * v2
          s1 = 2 * v1 - s1
          s2 = 2 * v2 - s2
        }
      }
    }
    return output
  }

  private func run(
    _ leftTargets: [LaneTarget], _ rightTargets: [LaneTarget], left: [Float], right: [Float],
    blocks: [Int]
  ) -> ([Float], [Float]) {
    let depth = leftTargets.count
    let sections = UnsafeMutablePointer<LaneSections>.allocate(capacity: 2 * depth)
    defer { sections.deallocate() }
    for (index, target) in (leftTargets + rightTargets).enumerated() {
      var section = LaneSections()
      section.adopt(target)
      (sections + index).initialize(to: section)
    }
    var (left, right) = (left, right)
    left.withUnsafeMutableBufferPointer { leftBuffer in
      right.withUnsafeMutableBufferPointer { rightBuffer in
        guard let leftBase = leftBuffer.baseAddress, let rightBase = rightBuffer.baseAddress
        else { return }
        var done = 0
        var turn = 0
        while done < leftBuffer.count {
          let count = min(blocks[turn % blocks.count], leftBuffer.count - done)
          turn += 1
          SettledCascade.run(
            depth: depth, left: leftBase + done, right: rightBase + done, count: count,
            leftSections: sections, rightSections: sections + depth)
          done += count
        }
      }
    }
    return (left, right)
  }

  func test_run_everyDepthAndLength_isBitIdenticalToOneSectionAfterAnother() {
    var generator = SeededGenerator(seed: 11)
    for depth in 1...3 {
      let leftTargets = targets(depth: depth, using: &generator)
      let rightTargets = targets(depth: depth, using: &generator)
      let left = Signals.noise(count: 700, using: &generator)
      let right = Signals.noise(count: 700, using: &generator)
      let expected = (reference(leftTargets, left), reference(rightTargets, right))
      for blocks in [[700], [1], [2], [3], [4], [5, 1, 64, 3, 17]] {
        let result = run(leftTargets, rightTargets, left: left, right: right, blocks: blocks)
        XCTAssertEqual(Signals.bits(result.0), Signals.bits(expected.0), "\(depth), \(blocks)")
        XCTAssertEqual(Signals.bits(result.1), Signals.bits(expected.1), "\(depth), \(blocks)")
      }
    }
  }

  func test_run_equalsTextbookFilterInDoublePrecision() {
    var generator = SeededGenerator(seed: 12)
    for depth in 1...3 {
      let sections = targets(depth: depth, using: &generator)
      let input = Signals.noise(count: 2_000, using: &generator)
      let expected = textbook(sections, input)
      let result = run(sections, sections, left: input, right: input, blocks: [2_000]).0
      let peak = expected.reduce(0) { max($0, abs($1)) }
      for (sample, reference) in zip(result, expected) {
        XCTAssertEqual(Double(sample), reference, accuracy: 2e-5 * peak)
      }
    }
  }

  func test_run_allGainsZero_passesInputToTheLastBit() {
    var generator = SeededGenerator(seed: 14)
    var target = LaneTarget()
    for lane in 0..<4 {
      let prototype = SectionPrototype(frequency: 900, quality: 1.3, sampleRate: 48_000)
      if lane < 2 {
        target.setLowShelf(prototype, gain: 0, lane: lane)
      } else {
        target.setBell(prototype, gain: 0, lane: lane)
      }
    }
    let input = Signals.noise(count: 1_000, using: &generator)
    let result = run([target], [target], left: input, right: input, blocks: [100])
    XCTAssertEqual(Signals.bits(result.0), Signals.bits(input))
  }
}
