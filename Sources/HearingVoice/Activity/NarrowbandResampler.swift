internal import HearingDSP

/// Turns the sound of 10 ms, at any rate from 8 kHz on, into 80 samples at exactly 8 kHz.
///
/// A windowed sinc for each of several positions between two input samples; where the rate is no
/// multiple of 8 kHz, the two nearest are blended. It delays by half its length, 0.8 ms; at 8 kHz
/// samples pass as they are.
struct NarrowbandResampler {
  /// Samples at 8 kHz that a frame of 10 ms has.
  static var frameLength: Int {
    @_noLocks @_noAllocation @inline(__always) get { 80 }
  }

  /// Positions between two input samples for which there is a filter.
  static var phaseCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 32 }
  }

  /// Input samples that make one at 8 kHz.
  let step: Double
  /// Coefficients of one filter, a multiple of four.
  let tapCount: Int
  /// Whether the rate is a multiple of 8 kHz, so that positions are never between samples.
  private let isWhole: Bool
  let filters: UnsafeMutablePointer<Float>
  /// Four partial sums for each sample on the way.
  private let sums: UnsafeMutablePointer<Float>

  /// A resampler from `sampleRate` Hz.
  init(sampleRate: Double, store: inout FloatStore) {
    step = sampleRate / 8_000
    isWhole = step == Double(Int(step))
    tapCount = Self.tapCount(sampleRate: sampleRate)
    filters = store.take(tapCount * (Self.phaseCount + 1))
    sums = store.take(4 * Self.frameLength)
    design()
  }

  /// Makes 80 samples out of a frame.
  ///
  /// - Parameters:
  ///   - samples: the frame, with `tapCount` earlier samples in front of it.
  ///   - length: its samples.
  ///   - start: what of an input sample has passed before the frame begins, −1…0.
  @_noLocks @_noAllocation
  func process(
    _ samples: UnsafePointer<Float>, length: Int, start: Double,
    to target: UnsafeMutablePointer<Float>
  ) {
    if tapCount == 1 {
      for index in 0..<Self.frameLength { target[index] = samples[index] }
      return
    }
    if isWhole {
      decimate(samples, to: target)
      return
    }
    for index in 0..<Self.frameLength {
      let place = start + Double(index + 1) * step
      // The filter ends with the first input sample that is not before the place.
      var end = Int(place)
      if Double(end) < place { end += 1 }
      // Rounding must not lead beyond the frame.
      end = min(end, length)
      let window = samples + (end - tapCount)
      let position = Float(max(0, Double(end) - place)) * Float(Self.phaseCount)
      let phase = min(Int(position), Self.phaseCount - 1)
      let share = position - Float(phase)
      sums.setFloat4(dot(window, filters + phase * tapCount, share), at: 4 * index)
    }
    fold(to: target)
  }

  /// Four outputs at a time, because one alone waits for its own results.
  @_noLocks @_noAllocation @inline(__always)
  private func decimate(_ samples: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    let stride = Int(step)
    let bytes = stride * 4
    let twice = 2 * bytes
    let thrice = 3 * bytes
    let right = UnsafeRawPointer(filters)
    for group in 0..<(Self.frameLength / 4) {
      let left = UnsafeRawPointer(samples + ((4 * group + 1) * stride - tapCount))
      var a = Float4.zero
      var b = Float4.zero
      var c = Float4.zero
      var d = Float4.zero
      var offset = 0
      while offset < tapCount * 4 {
        let filter = right.loadUnaligned(fromByteOffset: offset, as: Float4.self)
        a += left.loadUnaligned(fromByteOffset: offset, as: Float4.self) * filter
        b += left.loadUnaligned(fromByteOffset: offset &+ bytes, as: Float4.self) * filter
        c += left.loadUnaligned(fromByteOffset: offset &+ twice, as: Float4.self) * filter
        d += left.loadUnaligned(fromByteOffset: offset &+ thrice, as: Float4.self) * filter
        offset &+= 16
      }
      let place = 16 * group
      sums.setFloat4(a, at: place)
      sums.setFloat4(b, at: place + 4)
      sums.setFloat4(c, at: place + 8)
      sums.setFloat4(d, at: place + 12)
    }
    fold(to: target)
  }

  /// Puts sums together, apart from the loops above, whose vectors it would take to pieces.
  @_noLocks @_noAllocation @inline(__always)
  private func fold(to target: UnsafeMutablePointer<Float>) {
    for index in 0..<Self.frameLength { target[index] = sums.float4(at: 4 * index).sum() }
  }

  /// The products with a filter and with the next, blended.
  @_noLocks @_noAllocation @inline(__always)
  private func dot(
    _ samples: UnsafePointer<Float>, _ filter: UnsafePointer<Float>, _ share: Float
  ) -> Float4 {
    let left = UnsafeRawPointer(samples)
    let right = UnsafeRawPointer(filter)
    let further = tapCount * 4
    var one = Float4.zero
    var other = Float4.zero
    var offset = 0
    while offset < further {
      let sound = left.loadUnaligned(fromByteOffset: offset, as: Float4.self)
      one += sound * right.loadUnaligned(fromByteOffset: offset, as: Float4.self)
      other += sound * right.loadUnaligned(fromByteOffset: offset &+ further, as: Float4.self)
      offset &+= 16
    }
    return one + (other - one) * share
  }
}
