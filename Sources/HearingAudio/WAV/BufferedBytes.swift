internal import HearingFitting

/// A buffer of limited size for the bytes of a WAV file. Buffered bytes can be read several times
/// until they are consumed.
///
/// The buffer uses about 64 KiB of memory for sources of any size.
final class BufferedBytes {
  /// The maximum size of the buffer in bytes, and the maximum argument of ``fill(atLeast:)``.
  static let windowSize = 65_536

  private let source: any ByteSource

  /// The buffered bytes, starting at ``offset``.
  private(set) var bytes: ArraySlice<UInt8> = []

  /// The number of bytes from the start of the source to the first byte of ``bytes``.
  private(set) var offset = 0

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// The length of the source in bytes. Nil for a stream.
  var byteCount: Int? { source.byteCount }

  /// A copy of the first `count` buffered bytes. At least `count` bytes must be buffered.
  func first(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

  /// Reads until at least `count` bytes are buffered, or until the source ends.
  ///
  /// - Returns: The number of buffered bytes. If fewer than `count` bytes are buffered, the source
  ///   has ended.
  func fill(atLeast count: Int) throws(WAVReadError) -> Int {
    precondition(count <= Self.windowSize, "\(count) bytes exceed the window")
    do throws(FileFailure) {
      while bytes.count < count {
        let received = try source.read(atMost: Self.windowSize - bytes.count)
        if received.isEmpty { break }
        bytes = bytes + received
      }
    } catch {
      throw .file(FileAccessError(error))
    }
    return bytes.count
  }

  /// Discards the first `count` buffered bytes.
  func consume(_ count: Int) {
    bytes.removeFirst(count)
    offset += count
  }

  /// Skips up to `count` bytes. Returns the number of skipped bytes. If fewer than `count` bytes
  /// are skipped, the source has ended.
  ///
  /// If the source is a file, bytes that are not buffered are skipped with a seek operation. If the
  /// source is a stream, these bytes are read and discarded.
  func skip(_ count: Int) throws(WAVReadError) -> Int {
    if let byteCount, count > bytes.count {
      let step = min(count, max(0, byteCount - offset))
      try move(to: offset + step)
      return step
    }
    var skipped = 0
    while skipped < count {
      let step = min(count - skipped, try fill(atLeast: 1))
      if step == 0 { break }
      consume(step)
      skipped += step
    }
    return skipped
  }

  /// Moves to the byte at `offset`, counted from the start of the source. The source must have a
  /// known length.
  func move(to offset: Int) throws(WAVReadError) {
    do { try source.seek(to: offset) } catch { throw .file(FileAccessError(error)) }
    bytes = []
    self.offset = offset
  }
}
