/// Turns planar `Float` into stored, interleaved samples, and counts what did not fit.
///
///     var encoder = SampleEncoder(encoding: .int16, channelCount: 2)
///     encoder.encode(block.channels, from: 0, frameCount: 512, into: bytes)
///
/// Integers: multiplied by 2^(bits − 1), rounded to the nearest, ties to even, clipped to the
/// range; NaN becomes 0. Floating point keeps everything as it is.
public struct SampleEncoder: Sendable {
  /// How samples are stored, little-endian.
  public let encoding: SampleEncoding

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// What every sample is multiplied by first.
  public let gain: Float

  /// The samples that integers had to clip.
  public private(set) var clippedSampleCount = 0

  /// The samples that were no number.
  public private(set) var nanSampleCount = 0

  /// An encoder for one format; `gain` multiplies every sample, default 1.
  public init(encoding: SampleEncoding, channelCount: Int, gain: Float = 1) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.encoding = encoding
    self.channelCount = channelCount
    self.gain = gain
  }

  /// Encodes `frameCount` frames of `channels`, from index `first` on, to `bytes`, which has room for
  /// them.
  public mutating func encode(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, frameCount: Int,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let width = encoding.byteCount
    precondition(
      frameCount * channelCount * width <= bytes.count,
      "\(bytes.count) bytes for \(frameCount) frames of \(channelCount * width)")
    guard let base = bytes.baseAddress else { return }
    for channel in 0..<channelCount {
      let input = UnsafePointer(channels[channel] + first)
      let output = base + channel * width
      switch encoding {
      case .uint8:
        encodeIntegers(input, frameCount, output, bits: 8) { output, value in
          output.storeBytes(of: UInt8(truncatingIfNeeded: value &+ 128), as: UInt8.self)
        }
      case .int16:
        encodeIntegers(input, frameCount, output, bits: 16) { output, value in
          output.storeBytes(of: Int16(truncatingIfNeeded: value).littleEndian, as: Int16.self)
        }
      case .int24:
        encodeIntegers(input, frameCount, output, bits: 24) { output, value in
          let low = Int16(truncatingIfNeeded: value)
          output.storeBytes(of: low.littleEndian, as: Int16.self)
          let high = UInt8(truncatingIfNeeded: value >> 16)
          output.storeBytes(of: high, toByteOffset: 2, as: UInt8.self)
        }
      case .int32:
        encodeIntegers(input, frameCount, output, bits: 32) { output, value in
          output.storeBytes(of: value.littleEndian, as: Int32.self)
        }
      case .float32:
        encodeFloats(input, frameCount, output) { output, value in
          output.storeBytes(of: value.bitPattern.littleEndian, as: UInt32.self)
        }
      case .float64:
        encodeFloats(input, frameCount, output) { output, value in
          output.storeBytes(of: Double(value).bitPattern.littleEndian, as: UInt64.self)
        }
      }
    }
  }

  @inline(__always)
  private mutating func encodeIntegers(
    _ input: UnsafePointer<Float>, _ count: Int, _ output: UnsafeMutableRawPointer, bits: Int,
    _ store: (UnsafeMutableRawPointer, Int32) -> Void
  ) {
    let step = channelCount * bits / 8
    let scale = Double(1 << (bits - 1))
    let lowest = -scale
    let highest = scale - 1
    // Adding 1.5 · 2⁵² to a number below 2⁵¹ rounds it to an integer, to even where two are as
    // near, and leaves that integer in the low bits of the sum.
    let rounder = 0x1.8p52
    var clipped = 0
    var nans = 0
    var output = output
    for frame in 0..<count {
      let sample = Double(input[frame] * gain) * scale
      let isNumber = sample == sample
      let value = isNumber ? sample : 0
      clipped &+= (value >= highest + 0.5 || value < lowest - 0.5) ? 1 : 0
      nans &+= isNumber ? 0 : 1
      let limited = min(max(value, lowest), highest)
      store(output, Int32(truncatingIfNeeded: (limited + rounder).bitPattern))
      output += step
    }
    clippedSampleCount += clipped
    nanSampleCount += nans
  }

  @inline(__always)
  private mutating func encodeFloats(
    _ input: UnsafePointer<Float>, _ count: Int, _ output: UnsafeMutableRawPointer,
    _ store: (UnsafeMutableRawPointer, Float) -> Void
  ) {
    let step = channelCount * encoding.byteCount
    var nans = 0
    var output = output
    for frame in 0..<count {
      let sample = input[frame]
      nans &+= sample == sample ? 0 : 1
      store(output, gain == 1 ? sample : sample * gain)
      output += step
    }
    nanSampleCount += nans
  }
}
