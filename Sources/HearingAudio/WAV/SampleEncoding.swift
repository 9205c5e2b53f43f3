/// How a sample is stored in a WAV file.
///
/// Integers represent −1…1: full scale is 2^(bits − 1), so the largest positive sample of ``int16``
/// is 32767/32768. Floating point is stored unchanged and may exceed ±1.
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// 8-bit integers with an offset: 128 is silence.
  case uint8
  /// 16-bit integers.
  case int16
  /// 24-bit integers, three bytes each.
  case int24
  /// 32-bit integers; finer than the resolution of `Float`.
  case int32
  /// IEEE 754 single precision.
  case float32
  /// IEEE 754 double precision; finer than the resolution of `Float`.
  case float64

  /// The type that reads and writes samples of this encoding.
  var storage: any StoredSample.Type {
    switch self {
    case .uint8: OffsetInteger8.self
    case .int16: Integer16.self
    case .int24: Integer24.self
    case .int32: Integer32.self
    case .float32: Float32Sample.self
    case .float64: Float64Sample.self
    }
  }

  /// Bits of one sample.
  public var bitsPerSample: Int { 8 * byteCount }

  /// Whether samples are floating point, which can store any level.
  public var isFloatingPoint: Bool { largestSample == .infinity }

  /// The largest sample that can be stored: 1 − 2^(1 − bits) for integers, infinite otherwise.
  public var largestSample: Double { storage.largestSample }

  /// The value of each byte of silence.
  var silentByte: UInt8 { storage.silentByte }

  /// Bytes of one sample.
  package var byteCount: Int { storage.byteCount }
}
