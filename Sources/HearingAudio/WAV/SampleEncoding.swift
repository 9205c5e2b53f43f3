/// The format in which a WAV file stores a sample.
///
/// Integers represent samples in the range −1…1. A signed integer i of n bits represents the sample
/// i / 2^(n − 1). Therefore the largest sample of ``int16`` is 32767/32768. Floating-point samples
/// are stored unchanged and may exceed ±1.
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// Unsigned 8-bit integers. The integer 128 represents silence.
  case uint8
  /// 16-bit integers.
  case int16
  /// 24-bit integers, three bytes each.
  case int24
  /// 32-bit integers, which have a finer resolution than `Float`.
  case int32
  /// 32-bit floating-point numbers (IEEE 754 single precision).
  case float32
  /// 64-bit floating-point numbers (IEEE 754 double precision), which have a finer resolution than
  /// `Float`.
  case float64

  /// The number of bits in one sample.
  public var bitsPerSample: Int {
    switch self {
    case .uint8: 8
    case .int16: 16
    case .int24: 24
    case .int32, .float32: 32
    case .float64: 64
    }
  }

  /// Whether samples are stored as floating-point numbers. Floating-point samples may exceed ±1.
  public var isFloatingPoint: Bool { self == .float32 || self == .float64 }

  /// The largest sample that can be stored. For integers of n bits, the largest sample is 1 − 2^(1
  /// − n). For floating point, the largest sample is infinite.
  public var largestSample: Double {
    isFloatingPoint ? .infinity : 1 - 1 / Double(1 << (bitsPerSample - 1) as Int64)
  }

  /// The number of the encoding in the `fmt ` chunk of a WAV file: 1 for integers, 3 for floating
  /// point.
  var formatTag: UInt16 { isFloatingPoint ? 3 : 1 }

  /// The content of each byte in a silent sample.
  var silentByte: UInt8 { self == .uint8 ? 128 : 0 }

  /// The number of bytes in one sample.
  package var byteCount: Int { bitsPerSample / 8 }

  /// Stops the program if `frameCount` frames need more than `byteCount` bytes.
  func check(_ byteCount: Int, frameCount: Int, channelCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let step = self.byteCount * channelCount
    precondition(
      frameCount * step <= byteCount, "\(byteCount) bytes for \(frameCount) frames of \(step)")
  }
}
