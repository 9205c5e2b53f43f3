internal import HearingBuffers

// Samples are stored as little-endian bytes. A signed integer i of n bits represents the sample i /
// 2^(n − 1).

extension SampleEncoding {
  /// Reads `count` samples from `input`. `step` is the distance in bytes between two samples.
  func decode(_ input: Row<UInt8>, step: Int, count: Int, to output: Row<Float>) {
    @inline(__always) func decode(_ sample: (_ index: Int) -> Float) {
      for frame in 0..<count { output[frame] = sample(frame &* step) }
    }
    switch self {
    case .uint8: decode { Float(Int32(input[$0]) &- 128) * 0x1p-7 }
    case .int16: decode { Float(Int16(littleEndian: input.load(at: $0))) * 0x1p-15 }
    case .int24:
      decode { index in
        let high = UInt32(UInt16(littleEndian: input.load(at: index &+ 1)))
        return Float(Int32(bitPattern: high << 16 | UInt32(input[index]) << 8)) * 0x1p-31
      }
    case .int32: decode { Float(Int32(littleEndian: input.load(at: $0))) * 0x1p-31 }
    case .float32: decode { Float(bitPattern: UInt32(littleEndian: input.load(at: $0))) }
    case .float64: decode { Float(Double(bitPattern: UInt64(littleEndian: input.load(at: $0)))) }
    }
  }

  /// Multiplies `count` samples by `gain`, and stores the results in `output`. `step` is the
  /// distance in bytes between two results.
  ///
  /// For an integer encoding, samples are rounded to the nearest integer (ties to even), and NaN
  /// becomes 0. For a floating-point encoding, NaN stays NaN.
  ///
  /// - Returns: The number of clipped samples.
  func encode(
    _ input: Row<Float>, gain: Float, count: Int, to output: Row<UInt8>, step: Int
  ) -> Int {
    var clippedCount = 0
    @inline(__always) func integers(_ store: (Int32, _ index: Int) -> Void) {
      let scale = Double(1 << (bitsPerSample - 1) as Int64)
      let (minimum, maximum) = (-scale, scale - 1)
      // The sum of 1.5 · 2⁵² and a number below 2⁵¹ is automatically rounded to an integer, with
      // ties to even. The low bits of the sum contain the integer.
      let rounder = 0x1.8p52
      for frame in 0..<count {
        let sample = Double(input[frame] * gain) * scale
        let value = sample == sample ? sample : 0
        clippedCount &+= (value >= maximum + 0.5 || value < minimum - 0.5) ? 1 : 0
        let limited = min(max(value, minimum), maximum)
        store(Int32(truncatingIfNeeded: (limited + rounder).bitPattern), frame &* step)
      }
    }
    @inline(__always) func floats(_ store: (Float, _ index: Int) -> Void) {
      for frame in 0..<count {
        store(gain == 1 ? input[frame] : input[frame] * gain, frame &* step)
      }
    }
    switch self {
    case .uint8: integers { output[$1] = UInt8(truncatingIfNeeded: $0 &+ 128) }
    case .int16: integers { output.store(Int16(truncatingIfNeeded: $0).littleEndian, at: $1) }
    case .int24:
      integers { value, index in
        output.store(Int16(truncatingIfNeeded: value).littleEndian, at: index)
        output[index &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
      }
    case .int32: integers { output.store($0.littleEndian, at: $1) }
    case .float32: floats { output.store($0.bitPattern.littleEndian, at: $1) }
    case .float64: floats { output.store(Double($0).bitPattern.littleEndian, at: $1) }
    }
    return clippedCount
  }
}
