internal import HearingBuffers
internal import HearingFitting

/// A buffer of fixed size through which the bytes of a WAV file are read. The buffer supports
/// reading ahead, skipping and seeking.
///
/// The buffer uses 64 KiB of memory for sources of any size.
final class BufferedBytes {
  /// The size of the buffer in bytes, and the maximum argument of ``fill(atLeast:)``.
  static let windowSize = 65_536

  private let source: any ByteSource
  private let window = OwnedRow<UInt8>.filled(0, count: windowSize)
  private var start = 0
  private var end = 0

  /// The position of the next unconsumed byte, in bytes from the start of the source.
  private(set) var offset = 0

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// The length of the source in bytes. Nil for a stream.
  var byteCount: Int? { source.byteCount }

  /// The buffered bytes, starting at ``offset``. The bytes are valid until the next call that
  /// changes the buffer.
  var bytes: UnsafeRawBufferPointer {
    // Unsafe: the buffer `window` contains valid bytes from `start` to `end`.
    unsafe UnsafeRawBufferPointer(start: window.from(start).pointer, count: end - start)
  }

  /// A copy of the first `count` buffered bytes. At least `count` bytes must be buffered.
  func first(_ count: Int) -> [UInt8] { (0..<count).map { window[start + $0] } }

  /// Reads until at least `count` bytes are buffered, or until the source ends.
  ///
  /// - Returns: The number of buffered bytes. The number is less than `count` only at the end of
  ///   the source.
  func fill(atLeast count: Int) throws(WAVReadError) -> Int {
    precondition(count <= Self.windowSize, "\(count) bytes exceed the window")
    if end - start >= count { return end - start }
    window.row.copy(window.from(start), count: end - start)
    end -= start
    start = 0
    while end < count {
      let received: [UInt8]
      do {
        received = try source.read(atMost: window.count - end)
      } catch {
        throw .file(FileAccessError(error))
      }
      if received.isEmpty { break }
      window.from(end).copy(received)
      end += received.count
    }
    return end
  }

  /// Discards the first `count` buffered bytes.
  func consume(_ count: Int) {
    precondition(count <= end - start, "consumes \(count) of \(end - start) bytes")
    start += count
    offset += count
  }

  /// Skips up to `count` bytes. Returns the number of skipped bytes. The number is less than
  /// `count` only at the end of the source.
  ///
  /// In a file, this method seeks to skip bytes that are not buffered. In a stream, this method
  /// reads and discards the bytes.
  func skip(_ count: Int) throws(WAVReadError) -> Int {
    if let byteCount, count > end - start {
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
    start = 0
    end = 0
    self.offset = offset
  }
}
