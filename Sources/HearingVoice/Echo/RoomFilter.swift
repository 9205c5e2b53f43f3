internal import HearingDSP

/// The way from loudspeaker to microphone as it is known, each number with its uncertainty.
///
/// A Kalman filter in the frequency domain whose state is the partitioned response of the room
/// (G. Enzner & P. Vary, Signal Processing 86, 2006; F. Kuech, E. Mabande & G. Enzner, ICASSP 2014):
/// uncertainty and the power of what is no echo decide together how far each bin moves, so
/// somebody who talks at the same time slows it down where they talk and does not lead it astray.
///
/// A value of pointers; whoever creates it calls `deallocate()`.
struct RoomFilter {
  /// The response, and the variance of its error, both `[partition][bin]`.
  var response: Spectra
  var uncertainty: UnsafeMutablePointer<Float>

  /// The uncertainty of the response that was there before the last replacement.
  var formerUncertainty: UnsafeMutablePointer<Float>

  /// Power of what is no echo, as it is expected, `[bin]`.
  let disturbance: UnsafeMutablePointer<Float>

  /// How a room that is not known yet spreads its power over the partitions.
  let spread: UnsafeMutablePointer<Float>

  let step: Spectra
  let scratch: UnsafeMutablePointer<Float>
  let plan: EchoPlan

  /// The partition whose response is cut to its length next.
  private var turn = 1

  /// The power that the error of the response is expected to leave of an echo, summed over bins.
  private(set) var expectedError: Float = 0

  /// The disturbance is damped by this much; measured best between 0.5 and 1.
  private static var disturbanceWeight: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.7 }
  }

  /// What a block teaches counts for this much less than the equations say (there: 0.5): neighbouring
  /// blocks of speech resemble each other, and a filter too sure of itself stops learning. Between
  /// 0.06 and 0.25 echo stays within 1 dB.
  private static var confidence: Float {
    @_noLocks @_noAllocation @inline(__always) get { 0.12 }
  }

  /// −120 dB below a full-scale block's power: no bin is expected to be quieter.
  private static var least: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-10 }
  }

  /// Keeps what fades out above the smallest numbers, which are slow.
  private static var trace: Float {
    @_noLocks @_noAllocation @inline(__always) get { 1e-20 }
  }

  @_noLocks @_noAllocation
  mutating func clear() {
    response.clear()
    for index in 0..<plan.stride * plan.partitions { uncertainty[index] = 0 }
    for bin in 0..<plan.stride { disturbance[bin] = 0 }
    turn = 1
    expectedError = 0
  }

  /// Gives the response of an unknown room a gain in power of at most `gain`.
  @_noLocks @_noAllocation
  func doubt(gain: Float) {
    for partition in 0..<plan.partitions {
      doubt(partition, variance: gain * spread[partition])
    }
  }

  /// Exchanges the response with another one, which is off by `gain` in power, most where it is
  /// strongest.
  @_noLocks @_noAllocation
  mutating func replace(with other: inout Spectra, gain: Float) {
    swap(&response, &other)
    for index in 0..<plan.stride * plan.partitions {
      formerUncertainty[index] = uncertainty[index]
    }
    var total: Float = 0
    for partition in 0..<plan.partitions { total += response.power(partition) }
    for partition in 0..<plan.partitions {
      let share = response.power(partition) / (total + Self.least)
      doubt(partition, variance: gain * (0.8 * share + 0.2 * spread[partition]))
    }
  }

  /// Returns to the response that was there before.
  @_noLocks @_noAllocation
  mutating func restore(from other: inout Spectra) {
    swap(&response, &other)
    swap(&uncertainty, &formerUncertainty)
  }

  @_noLocks @_noAllocation @inline(__always)
  private func doubt(_ partition: Int, variance: Float) {
    for bin in 0...plan.block {
      let place = partition * plan.stride + bin
      if uncertainty[place] < variance { uncertainty[place] = variance }
    }
  }

  /// Learns from what was left of a block.
  ///
  /// - Parameter head: gets the first block of the response as samples, last one first.
  @_noLocks @_noAllocation
  mutating func adapt(
    to history: ReferenceHistory, error: Spectra, transform: RealTransform,
    head: UnsafeMutablePointer<Float>
  ) {
    weigh(history, error)
    for partition in 0..<plan.partitions { move(partition, history) }
    constrain(0, transform)
    for index in 0..<plan.block { head[plan.block - 1 - index] = scratch[index] }
    // A quarter of the others in turn: within 0.5 dB of all of them at each block.
    for _ in 0..<(plan.partitions + 2) / 4 {
      constrain(turn, transform)
      turn = turn + 1 < plan.partitions ? turn + 1 : 1
    }
  }

  /// Divides the error by all that is expected in it.
  @_noLocks @_noAllocation
  private mutating func weigh(_ history: ReferenceHistory, _ error: Spectra) {
    let keep = 1 - plan.drift
    var total = SIMD4<Float>.zero
    var bin = 0
    while bin < plan.stride {
      var expected = SIMD4<Float>.zero
      for partition in 0..<plan.partitions {
        let place = partition * plan.stride + bin
        let (u, v) = (response.real.float4(at: place), response.imaginary.float4(at: place))
        let variance = uncertainty.float4(at: place) * keep + (u * u + v * v) * plan.drift
        uncertainty.setFloat4(variance, at: place)
        expected += variance * history.power(partition).float4(at: bin)
      }
      expected *= 0.5
      total += expected
      let (x, y) = (error.real.float4(at: bin), error.imaginary.float4(at: bin))
      let power = x * x + y * y
      let smoothed = disturbance.float4(at: bin) * 0.7 + power * 0.3 + Self.trace
      disturbance.setFloat4(smoothed, at: bin)
      let larger = smoothed.replacing(with: power, where: power .> smoothed)
      let weight = 1 / (expected + larger * Self.disturbanceWeight + Self.least)
      step.real.setFloat4(x * weight, at: bin)
      step.imaginary.setFloat4(y * weight, at: bin)
      scratch.setFloat4(weight * Self.confidence, at: bin)
      bin += 4
    }
    expectedError = total[0] + total[1] + total[2] + total[3]
  }

  /// Moves one partition, and is surer of it afterwards.
  @_noLocks @_noAllocation @inline(__always)
  private func move(_ partition: Int, _ history: ReferenceHistory) {
    let (real, imaginary) = (history.real(partition), history.imaginary(partition))
    let power = history.power(partition)
    var bin = 0
    while bin < plan.stride {
      let place = partition * plan.stride + bin
      let variance = uncertainty.float4(at: place)
      let (x, y) = (real.float4(at: bin), imaginary.float4(at: bin))
      let (u, v) = (step.real.float4(at: bin), step.imaginary.float4(at: bin))
      response.real.setFloat4(
        response.real.float4(at: place) + variance * (x * u + y * v), at: place)
      response.imaginary.setFloat4(
        response.imaginary.float4(at: place) + variance * (x * v - y * u), at: place)
      uncertainty.setFloat4(
        variance * (1 - scratch.float4(at: bin) * variance * power.float4(at: bin)), at: place)
      bin += 4
    }
  }

  /// Cuts one partition's response to a block, as far as it can be heard.
  @_noLocks @_noAllocation
  private func constrain(_ partition: Int, _ transform: RealTransform) {
    let real = response.real + partition * plan.stride
    let imaginary = response.imaginary + partition * plan.stride
    transform.inverse(real: real, imaginary: imaginary, to: scratch)
    for index in plan.block..<2 * plan.block { scratch[index] = 0 }
    transform.forward(scratch, real: real, imaginary: imaginary)
  }
}
