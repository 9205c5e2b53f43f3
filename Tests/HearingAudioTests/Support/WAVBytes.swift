/// Builds the bytes of valid and invalid RIFF files.
struct WAVBytes {
  var bytes: [UInt8] = []

  init(_ file: String = "RIFF", riffSize: UInt32? = nil, kind: String = "WAVE") {
    self.riffSize = riffSize
    text(file)
    integer(riffSize ?? 0)
    text(kind)
  }

  private let riffSize: UInt32?

  mutating func text(_ text: String) {
    bytes.append(contentsOf: Array(text.utf8))
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func chunk(_ code: String, _ body: [UInt8], size: UInt32? = nil, pads: Bool = true) {
    text(code)
    integer(size ?? UInt32(body.count))
    bytes.append(contentsOf: body)
    if pads, body.count % 2 == 1 { bytes.append(0) }
  }

  mutating func format(
    tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 8000, frameSize: UInt16? = nil,
    bits: UInt16 = 16, tail: [UInt8] = []
  ) {
    var body = WAVBytes()
    body.bytes = []
    let size = frameSize ?? channels * ((bits + 7) / 8)
    body.integer(tag)
    body.integer(channels)
    body.integer(rate)
    body.integer(rate &* UInt32(size))
    body.integer(size)
    body.integer(bits)
    body.bytes.append(contentsOf: tail)
    chunk("fmt ", body.bytes)
  }

  /// The bytes of the file. If no RIFF size was given, this property computes it.
  var finished: [UInt8] {
    guard riffSize == nil, bytes.count >= 8 else { return bytes }
    var result = bytes
    withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian) {
      result.replaceSubrange(4..<8, with: $0)
    }
    return result
  }

  /// The bytes of 16-bit samples.
  static func int16(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
