internal import HearingAudio
internal import HearingFitting

/// Reads the codec and the length of the audio from the boxes of an M4A file. A box is a section of
/// the file with a size and a name.
///
/// Source: ISO/IEC 14496-12 (boxes `moov`, `mvhd`, `trak`, `stsd`), 14496-14 (`mp4a`).
enum M4AFile {
  /// The maximum size of the `moov` box in bytes. For one day of AAC audio, the `moov` box has
  /// about 40 MB.
  private static let movieLimit = 1 << 26
  /// The maximum number of boxes. One day of audio in fragments of one second has 173,000 boxes
  /// (two boxes for each fragment).
  private static let boxLimit = 1 << 18

  /// The length of the audio in microseconds. Nil if the file does not contain the length, for
  /// example because the file is fragmented.
  static func length(of source: FileByteSource) throws(PieceContent.Invalid) -> Int64? {
    let byteCount = source.byteCount ?? 0
    var movie: [UInt8]?
    var hasSound = false
    var (offset, count) = (0, 0)
    while offset < byteCount {
      count += 1
      guard count <= boxLimit else { throw malformed(offset, "more than \(boxLimit) boxes") }
      let header = try read(source, at: offset, count: 16)
      guard let box = Box(header[...], available: byteCount - offset) else {
        throw malformed(offset, "a box that is damaged or cut short")
      }
      switch box.name {
      case "moov":
        guard box.byteCount <= movieLimit else { throw malformed(offset, "the index is too large") }
        let start = offset + box.headerByteCount
        movie = try read(source, at: start, count: box.byteCount - box.headerByteCount)
      case "mdat": hasSound = hasSound || box.byteCount > box.headerByteCount
      default: break
      }
      offset += box.byteCount
    }
    guard let movie else { throw malformed(byteCount, "the index (moov) is missing") }
    guard hasSound else { throw .empty }
    let codecs = boxes("trak", "mdia", "minf", "stbl", "stsd", in: movie[...])
      .map { $0.dropFirst(8) }
    guard codecs.contains(where: { $0.dropFirst(4).starts(with: "mp4a".utf8) }) else {
      throw malformed(0, "no track is AAC")
    }
    guard let header = boxes("mvhd", in: movie[...]).first else {
      throw malformed(0, "the header of the index (mvhd) is missing")
    }
    return try length(of: header)
  }

  /// The length of the audio in microseconds, from the contents of an `mvhd` box.
  private static func length(of header: ArraySlice<UInt8>) throws(PieceContent.Invalid) -> Int64? {
    let isLong = header.first == 1
    let fields = header.dropFirst(isLong ? 20 : 12)
    guard fields.count >= (isLong ? 12 : 8) else {
      throw malformed(0, "the header of the index (mvhd) is cut short")
    }
    let scale = fields.prefix(4).bigEndian
    let duration = fields.dropFirst(4).prefix(isLong ? 8 : 4).bigEndian
    let unknown = isLong ? UInt64.max : UInt64(UInt32.max)
    guard scale > 0, duration > 0, duration != unknown else { return nil }
    let (seconds, remainder) = duration.quotientAndRemainder(dividingBy: scale)
    guard seconds < UInt64(Int64.max / 1_000_000) else {
      throw malformed(0, "a duration of \(seconds) seconds")
    }
    return Int64(seconds) * 1_000_000 + Int64((remainder * 1_000_000 + scale / 2) / scale)
  }

  /// The contents of all boxes at a path. A path is a list of the names of nested boxes, from the
  /// outermost to the innermost.
  private static func boxes(_ path: String..., in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    path.reduce([bytes]) { found, name in
      found.flatMap { bytes in
        var result: [ArraySlice<UInt8>] = []
        var remaining = bytes
        while let box = Box(remaining, available: remaining.count) {
          if box.name == name {
            result.append(remaining.prefix(box.byteCount).dropFirst(box.headerByteCount))
          }
          remaining = remaining.dropFirst(box.byteCount)
        }
        return result
      }
    }
  }

  private static func read(
    _ source: FileByteSource, at offset: Int, count: Int
  ) throws(PieceContent.Invalid) -> [UInt8] {
    do {
      try source.seek(to: offset)
      return try source.readAll(limit: count)
    } catch {
      throw .unreadable(.file(FileAccessError(error)))
    }
  }

  private static func malformed(_ offset: Int, _ reason: String) -> PieceContent.Invalid {
    .malformed(.aac, offset: offset, reason: reason)
  }

  /// The header of a box.
  private struct Box {
    let name: String
    let headerByteCount: Int
    let byteCount: Int

    /// Reads a header. The initializer returns nil if the header is incomplete, or if the box is
    /// longer than `available` bytes.
    init?(_ bytes: ArraySlice<UInt8>, available: Int) {
      guard bytes.count >= 8 else { return nil }
      name = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
      let short = bytes.prefix(4).bigEndian
      headerByteCount = short == 1 ? 16 : 8
      guard bytes.count >= headerByteCount else { return nil }
      let stated = short == 1 ? bytes.dropFirst(8).prefix(8).bigEndian : short
      // A size of 0 means that the box extends to the end of the file.
      guard let byteCount = Int(exactly: short == 0 ? UInt64(available) : stated),
        (headerByteCount...max(headerByteCount, available)).contains(byteCount),
        byteCount <= available
      else { return nil }
      self.byteCount = byteCount
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as an unsigned big-endian number. There must be at most eight bytes.
  fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
