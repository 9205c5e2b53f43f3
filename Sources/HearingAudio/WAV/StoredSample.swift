/// Reads and writes samples of one encoding, little-endian.
///
/// Integers are read as their value divided by 2^(bits − 1).
protocol StoredSample {
  /// Bytes of one sample.
  static var byteCount: Int { get }

  /// The format tag of the `fmt ` chunk.
  static var formatTag: UInt16 { get }

  /// The largest sample that can be stored.
  static var largestSample: Double { get }

  /// The value of each byte of silence.
  static var silentByte: UInt8 { get }

  /// Reads the sample at an address, which need not be aligned.
  static func load(_ bytes: UnsafeRawPointer) -> Float

  /// Writes `count` samples `step` bytes apart, each multiplied by `gain`.
  static func encode(
    _ input: UnsafePointer<Float>, gain: Float, count: Int, to output: UnsafeMutableRawPointer,
    step: Int
  ) -> EncodingFaults
}

/// The number of samples that an encoding could not store unchanged.
struct EncodingFaults {
  var clippedCount = 0
  var nanCount = 0
}

extension StoredSample {
  static var silentByte: UInt8 { 0 }

  /// Reads `count` samples `step` bytes apart.
  @inline(__always)
  static func decode(
    _ input: UnsafeRawPointer, step: Int, count: Int, to output: UnsafeMutablePointer<Float>
  ) {
    // Unsafe: the decoder and the encoder check the sizes of the buffers.
    var input = unsafe input
    for frame in 0..<count {
      unsafe output[frame] = unsafe load(input)
      unsafe input += step
    }
  }
}

/// An integer encoding. Samples are rounded to the nearest integer, ties to even; NaN becomes 0.
protocol IntegerSample: StoredSample {
  static func store(_ value: Int32, at bytes: UnsafeMutableRawPointer)
}

extension IntegerSample {
  static var formatTag: UInt16 { 1 }

  static var largestSample: Double { 1 - 1 / Double(1 << (8 * byteCount - 1)) }

  static func encode(
    _ input: UnsafePointer<Float>, gain: Float, count: Int, to output: UnsafeMutableRawPointer,
    step: Int
  ) -> EncodingFaults {
    let scale = Double(1 << (8 * byteCount - 1))
    let lowest = -scale
    let highest = scale - 1
    // Adding 1.5 · 2⁵² to a number below 2⁵¹ rounds it to an integer, ties to even, and leaves that
    // integer in the low bits of the sum.
    let rounder = 0x1.8p52
    var faults = EncodingFaults()
    var output = unsafe output
    for frame in 0..<count {
      let sample = unsafe Double(input[frame] * gain) * scale
      let isNumber = sample == sample
      let value = isNumber ? sample : 0
      faults.clippedCount &+= (value >= highest + 0.5 || value < lowest - 0.5) ? 1 : 0
      faults.nanCount &+= isNumber ? 0 : 1
      let limited = min(max(value, lowest), highest)
      unsafe store(Int32(truncatingIfNeeded: (limited + rounder).bitPattern), at: output)
      unsafe output += step
    }
    return faults
  }
}

/// A floating point encoding. NaN stays NaN and is counted.
protocol FloatingPointSample: StoredSample {
  static func store(_ value: Float, at bytes: UnsafeMutableRawPointer)
}

extension FloatingPointSample {
  static var formatTag: UInt16 { 3 }

  static var largestSample: Double { .infinity }

  static func encode(
    _ input: UnsafePointer<Float>, gain: Float, count: Int, to output: UnsafeMutableRawPointer,
    step: Int
  ) -> EncodingFaults {
    var faults = EncodingFaults()
    var output = unsafe output
    for frame in 0..<count {
      let sample = unsafe input[frame]
      faults.nanCount &+= sample == sample ? 0 : 1
      unsafe store(gain == 1 ? sample : sample * gain, at: output)
      unsafe output += step
    }
    return faults
  }
}

enum OffsetInteger8: IntegerSample {
  static var byteCount: Int { 1 }
  static var silentByte: UInt8 { 128 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    unsafe Float(Int32(bytes.load(as: UInt8.self)) &- 128) * 0x1p-7
  }

  static func store(_ value: Int32, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: value &+ 128), as: UInt8.self)
  }
}

enum Integer16: IntegerSample {
  static var byteCount: Int { 2 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    unsafe Float(Int16(littleEndian: bytes.loadUnaligned(as: Int16.self))) * 0x1p-15
  }

  static func store(_ value: Int32, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: Int16(truncatingIfNeeded: value).littleEndian, as: Int16.self)
  }
}

enum Integer24: IntegerSample {
  static var byteCount: Int { 3 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    let low = unsafe UInt32(bytes.load(as: UInt8.self))
    let high = unsafe UInt32(
      UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
    return Float(Int32(bitPattern: high << 16 | low << 8)) * 0x1p-31
  }

  static func store(_ value: Int32, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: Int16(truncatingIfNeeded: value).littleEndian, as: Int16.self)
    unsafe bytes.storeBytes(
      of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
  }
}

enum Integer32: IntegerSample {
  static var byteCount: Int { 4 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    unsafe Float(Int32(littleEndian: bytes.loadUnaligned(as: Int32.self))) * 0x1p-31
  }

  static func store(_ value: Int32, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: value.littleEndian, as: Int32.self)
  }
}

enum Float32Sample: FloatingPointSample {
  static var byteCount: Int { 4 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    unsafe Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
  }

  static func store(_ value: Float, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: value.bitPattern.littleEndian, as: UInt32.self)
  }
}

enum Float64Sample: FloatingPointSample {
  static var byteCount: Int { 8 }

  static func load(_ bytes: UnsafeRawPointer) -> Float {
    unsafe Float(Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))))
  }

  static func store(_ value: Float, at bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: Double(value).bitPattern.littleEndian, as: UInt64.self)
  }
}
