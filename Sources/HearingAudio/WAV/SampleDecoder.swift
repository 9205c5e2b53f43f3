/// Turns stored, interleaved samples into planar `Float`.
///
///     let decoder = SampleDecoder(encoding: .int16, channelCount: 2)
///     decoder.decode(bytes, frameCount: 512, into: block.channels, from: 0)
///
/// Integers are divided by 2^(bits − 1). Nothing is allocated. It reads no headers: ``WAVReader``
/// does.
public struct SampleDecoder: Sendable {
  /// How the samples are stored, little-endian.
  public let encoding: SampleEncoding

  /// The number of channels, at least 1.
  public let channelCount: Int

  /// A decoder for one format.
  public init(encoding: SampleEncoding, channelCount: Int) {
    precondition(channelCount >= 1, "\(channelCount) channels")
    self.encoding = encoding
    self.channelCount = channelCount
  }

  /// Decodes `frameCount` frames of `bytes`, which holds at least as many, to `channels`, from index
  /// `first` on.
  public func decode(
    _ bytes: UnsafeRawBufferPointer, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int
  ) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    let width = encoding.byteCount
    precondition(
      frameCount * channelCount * width <= bytes.count,
      "\(bytes.count) bytes for \(frameCount) frames of \(channelCount * width)")
    guard let base = bytes.baseAddress else { return }
    let step = width * channelCount
    for channel in 0..<channelCount {
      let input = base + channel * width
      let output = channels[channel] + first
      switch encoding {
      case .uint8:
        convert(input, step, output, frameCount) {
          Float(Int32($0.load(as: UInt8.self)) &- 128) * 0x1p-7
        }
      case .int16:
        convert(input, step, output, frameCount) {
          Float(Int16(littleEndian: $0.loadUnaligned(as: Int16.self))) * 0x1p-15
        }
      case .int24:
        convert(input, step, output, frameCount) {
          let low = UInt32($0.load(as: UInt8.self))
          let high = UInt32(
            UInt16(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
          return Float(Int32(bitPattern: high << 16 | low << 8)) * 0x1p-31
        }
      case .int32:
        convert(input, step, output, frameCount) {
          Float(Int32(littleEndian: $0.loadUnaligned(as: Int32.self))) * 0x1p-31
        }
      case .float32:
        convert(input, step, output, frameCount) {
          Float(bitPattern: UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
        }
      case .float64:
        convert(input, step, output, frameCount) {
          let bits = UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
          return Float(Double(bitPattern: bits))
        }
      }
    }
  }

  @inline(__always)
  private func convert(
    _ input: UnsafeRawPointer, _ step: Int, _ output: UnsafeMutablePointer<Float>, _ count: Int,
    _ sample: (UnsafeRawPointer) -> Float
  ) {
    var input = input
    for frame in 0..<count {
      output[frame] = sample(input)
      input += step
    }
  }
}
