internal import HearingAudio
internal import HearingFitting

/// Reads the sample rate from the first page of an Ogg Vorbis file, and the length from the last
/// page.
///
/// Source: RFC 3533 (pages), Vorbis I specification, section 4.2.2 (identification header).
enum OggVorbisFile {
  /// The maximum size of a page in bytes. The largest page has a header of 27 bytes, a table with
  /// 255 segment sizes, and 255 segments of 255 bytes.
  private static let pageLimit = 27 + 255 + 255 * 255
  private static let identification: [UInt8] = [1] + Array("vorbis".utf8)

  /// The length of the audio in microseconds.
  static func length(of source: FileByteSource) throws(PieceContent.Invalid) -> Int64 {
    let bytes: [UInt8]
    var tail: [UInt8]
    let byteCount = source.byteCount ?? 0
    do {
      bytes = try source.readAll(limit: pageLimit)
      try source.seek(to: max(0, byteCount - pageLimit))
      tail = try source.readAll(limit: pageLimit)
    } catch {
      throw .unreadable(.file(FileAccessError(error)))
    }
    guard let first = Page(bytes, at: 0), first.isFirst else {
      throw malformed(0, "not the first page of an Ogg stream")
    }
    let body = bytes[first.bodyOffset..<first.end]
    guard body.count == 30, body.starts(with: identification) else {
      throw malformed(first.bodyOffset, "the stream is not Vorbis")
    }
    let rate = bytes.integer(at: first.bodyOffset + 12, byteCount: 4)
    guard rate > 0, bytes[first.bodyOffset + 11] > 0 else {
      throw malformed(first.bodyOffset + 11, "no channels or no sample rate")
    }
    guard let last = lastPage(in: tail, serial: first.serial), last.isLast else {
      throw malformed(byteCount, "the last page is missing; the file is cut short")
    }
    guard last.frameCount > 0 else { throw .empty }
    guard let frameCount = Int(exactly: last.frameCount) else {
      throw malformed(byteCount, "a last frame of \(last.frameCount)")
    }
    return PieceMetadata.microseconds(frameCount: frameCount, sampleRate: rate)
  }

  private static func lastPage(in tail: [UInt8], serial: Int) -> Page? {
    for offset in tail.indices.reversed() where tail[offset] == UInt8(ascii: "O") {
      if let page = Page(tail, at: offset), page.serial == serial { return page }
    }
    return nil
  }

  private static func malformed(_ offset: Int, _ reason: String) -> PieceContent.Invalid {
    .malformed(.oggVorbis, offset: offset, reason: reason)
  }

  /// A complete page within an array of bytes.
  private struct Page {
    let isFirst: Bool
    let isLast: Bool
    /// The number of audio frames from the start of the file to the end of the page.
    let frameCount: UInt64
    let serial: Int
    let bodyOffset: Int
    let end: Int

    init?(_ bytes: [UInt8], at offset: Int) {
      guard bytes.count - offset >= 27, bytes[offset...].starts(with: Array("OggS".utf8) + [0])
      else { return nil }
      isFirst = bytes[offset + 5] & 2 != 0
      isLast = bytes[offset + 5] & 4 != 0
      frameCount =
        UInt64(bytes.integer(at: offset + 6, byteCount: 4))
        | UInt64(bytes.integer(at: offset + 10, byteCount: 4)) << 32
      serial = bytes.integer(at: offset + 14, byteCount: 4)
      bodyOffset = offset + 27 + Int(bytes[offset + 26])
      guard bodyOffset <= bytes.count else { return nil }
      end = bytes[(offset + 27)..<bodyOffset].reduce(bodyOffset) { $0 + Int($1) }
      guard end <= bytes.count else { return nil }
    }
  }
}

extension [UInt8] {
  /// Reads an unsigned little-endian number at `offset`. The number has at most four bytes.
  fileprivate func integer(at offset: Int, byteCount: Int) -> Int {
    self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
