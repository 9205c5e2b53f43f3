import HearingBuffers
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingDSP

final class CascadeTests: XCTestCase {
  /// Target coefficients for `depth` vectors of four filter sections. The gains are random. Calls
  /// with the same value of `positions` return the same frequencies and Q factors.
  private func targets(
    depth: Int, positions seed: UInt64 = 1, using generator: inout SeededGenerator
  ) -> [SectionTargets] {
    var positions = SeededGenerator(seed: seed)
    return (0..<depth).map { vector in
      var target = SectionTargets()
      for lane in 0..<4 {
        let prototype = SectionPrototype(
          frequency: Double.random(in: 100...12_000, using: &positions),
          quality: Double.random(in: 0.4...4, using: &positions), sampleRate: 48_000)
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

  /// The vector index and the lane index of each filter section. The order is the order in which a
  /// sample passes through the sections.
  private func positions(depth: Int) -> [(vector: Int, lane: Int)] {
    stride(from: 0, to: depth, by: Cascade.depth).flatMap { first in
      let group = first..<min(first + Cascade.depth, depth)
      return (0..<4).reversed().flatMap { lane in group.map { ($0, lane) } }
    }
  }

  /// Three points in time of the coefficients during a ramp. The coefficients start at the first
  /// point and end near the last point. A curved ramp is a spline that passes near the second
  /// point.
  private typealias Way = [SectionTargets]

  /// The ramp of each vector of sections over `count` samples.
  private func ramps(_ shape: RampShape, _ ways: [Way], count: Int) -> [SectionRamp] {
    ways[0].indices.map { vector in
      var ramp = SectionRamp()
      guard shape != .none else { return ramp }
      ramp.last = ways[1][vector].coefficients
      ramp.next = ways[2][vector]
      ramp.start(shape, from: ways[0][vector].coefficients, scale: 1 / Float(count))
      return ramp
    }
  }

  /// Filters all samples with one section after the other. The result must equal the result of
  /// `Cascade`, which processes several sections at the same time.
  private func reference(_ shape: RampShape, _ ways: [Way], _ samples: [Float]) -> [Float] {
    var output = samples
    let ramps = ramps(shape, ways, count: samples.count)
    for (vector, lane) in positions(depth: ramps.count) {
      var now = ways[0][vector].coefficients
      var step = ramps[vector].slopes.step
      let isBell = vector > 0 || lane > 1
      var (s1, s2) = (Float(0), Float(0))
      for index in output.indices {
        let x = output[index]
        let q = s1 - s2
        if shape != .none {
          now.a += step.a
          now.b += step.b
          now.e += step.e
          now.f += step.f
          step = step + ramps[vector].slopes.bend
          let v = now.a[lane] * (q + x)
          let low = isBell ? x : x + now.f[lane] * s2
          output[index] = low + now.e[lane] * (q + x)
          let low2 = vector > 0 ? now.c[lane] * v : now.b[lane] * (q + x)
          (s1, s2) = (v - s1, s2 + low2)
        } else {
          let low = isBell ? now.e[lane] * q : now.e[lane] * q + now.f[lane] * s2
          output[index] = (1 + now.e[lane]) * x + low
          s1 = now.a[lane] * (q + x) - s1
          s2 += now.b[lane] * (q + x)
        }
      }
    }
    return output
  }

  /// Filters the samples with the textbook form of each section in double precision. The parameters
  /// of this form are computed from the coefficients of the section.
  private func textbook(_ shape: RampShape, _ ways: [Way], _ samples: [Float]) -> [Double] {
    var output = samples.map(Double.init)
    for (vector, lane) in positions(depth: ways[0].count) {
      var (low, band) = (0.0, 0.0)
      for index in output.indices {
        let share = Double(index + 1) / Double(samples.count)
        func line(_ lanes: (SectionCoefficients) -> Float4) -> Double {
          let points = ways.map { Double(lanes($0[vector].coefficients)[lane]) }
          switch shape {
          case .none: return points[0]
          case .straight: return points[0] + (points[2] - points[0]) * share
          case .curved:
            // With this first control point, the spline starts at points[0].
            let first = 2 * points[0] - points[1]
            return 0.5 * (1 - share) * (1 - share) * first
              + (0.5 + share * (1 - share)) * points[1] + 0.5 * share * share * points[2]
          }
        }
        let a = line { $0.a }
        let c = vector > 0 ? line { $0.c } : line { $0.b } / a
        let g = c.squareRoot()
        // The state of the band-pass integrator is scaled, so that it does not depend on g.
        let v1 = a / 2 * g * (band - low + output[index])
        let v2 = low + g * v1
        let lowPass = line { $0.f }
        let bandPass = line { $0.e } / (g * a / 2) - lowPass * g
        output[index] += bandPass * v1 + lowPass * v2
        band = 2 * v1 / g - band
        low = 2 * v2 - low
      }
    }
    return output
  }

  private func run(
    _ shape: RampShape, _ leftWays: [Way], _ rightWays: [Way], left: [Float], right: [Float],
    blocks: [Int]
  ) -> ([Float], [Float]) {
    let depth = leftWays[0].count
    let sections = OwnedRow<SectionStates>.filled(SectionStates(), count: 2 * depth)
    let moves = OwnedRow<SectionRamp>.filled(SectionRamp(), count: 2 * depth)
    for (index, target) in (leftWays[0] + rightWays[0]).enumerated() {
      sections[index].now = target.coefficients
    }
    for (index, way) in [leftWays, rightWays].enumerated() {
      for (vector, ramp) in ramps(shape, way, count: left.count).enumerated() {
        moves[index * depth + vector] = ramp
      }
    }
    var (left, right) = (left, right)
    left.withUnsafeMutableBufferPointer { leftBuffer in
      right.withUnsafeMutableBufferPointer { rightBuffer in
        let channels = [leftBuffer.row, rightBuffer.row]
        var done = 0
        var turn = 0
        while done < leftBuffer.count {
          let count = min(blocks[turn % blocks.count], leftBuffer.count - done)
          turn += 1
          let pair = channels.enumerated().map { index, samples in
            CascadeChannel(
              samples: samples.from(done), states: sections.from(index * depth),
              ramps: moves.from(index * depth))
          }
          Cascade.run(vectors: depth, ramp: shape, pair[0], pair[1], count: count)
          done += count
        }
      }
    }
    return (left, right)
  }

  func test_run_anyDepthAndBlockLength_isBitIdenticalToFilteringSectionBySection() {
    var generator = SeededGenerator(seed: 11)
    for depth in [3, 6] {
      let ways = (0..<2).map { _ in
        (0..<3).map { _ in targets(depth: depth, using: &generator) }
      }
      let inputs = (0..<2).map { _ in Signals.noise(count: 300, using: &generator) }
      for shape in [RampShape.none, .straight, .curved] {
        let expected = (0..<2).map { reference(shape, ways[$0], inputs[$0]) }
        for blocks in [[300], [1], [2], [3], [4], [24], [5, 1, 64, 3, 17]] {
          let result = run(
            shape, ways[0], ways[1], left: inputs[0], right: inputs[1], blocks: blocks)
          let message = "\(depth), \(blocks), ramp: \(shape)"
          XCTAssertEqual(Signals.bits(result.0), Signals.bits(expected[0]), message)
          XCTAssertEqual(Signals.bits(result.1), Signals.bits(expected[1]), message)
        }
      }
    }
  }

  func test_run_equalsTextbookFilterInDoublePrecision() {
    var generator = SeededGenerator(seed: 12)
    for depth in [3, 6] {
      var ways = (0..<3).map { _ in targets(depth: depth, using: &generator) }
      // The spline of a curved ramp starts at the midpoint of two points. Here, one of them is a
      // random point, and the other is the second point of the ramp.
      for vector in 0..<depth {
        let (first, second) = (ways[0][vector].coefficients, ways[1][vector].coefficients)
        ways[0][vector].coefficients = first.midpoint(to: second)
      }
      for shape in [RampShape.none, .straight, .curved] {
        // During a ramp, rounding errors accumulate. Ramps are short in practice, so the test uses
        // fewer samples if there is a ramp.
        let input = Signals.noise(count: shape == .none ? 2_000 : 256, using: &generator)
        let expected = textbook(shape, ways, input)
        let result = run(
          shape, ways, ways, left: input, right: input, blocks: [input.count]
        ).0
        let peak = expected.reduce(0) { max($0, abs($1)) }
        for (sample, reference) in zip(result, expected) {
          XCTAssertEqual(Double(sample), reference, accuracy: 1e-4 * peak)
        }
      }
    }
  }

  func test_run_allGainsZero_isBitIdenticalToTheInput() {
    var generator = SeededGenerator(seed: 14)
    var target = SectionTargets()
    for lane in 0..<4 {
      let prototype = SectionPrototype(frequency: 900, quality: 1.3, sampleRate: 48_000)
      if lane < 2 {
        target.setLowShelf(prototype, gain: 0, lane: lane)
      } else {
        target.setBell(prototype, gain: 0, lane: lane)
      }
    }
    let input = Signals.noise(count: 1_000, using: &generator)
    let way = [[target, SectionTargets(), SectionTargets()]]
    let result = run(.none, way, way, left: input, right: input, blocks: [100])
    XCTAssertEqual(Signals.bits(result.0), Signals.bits(input))
  }
}
