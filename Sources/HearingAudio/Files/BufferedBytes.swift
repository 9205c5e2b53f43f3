/// A window of fixed size that moves over a ``ByteSource``: looks ahead, skips, seeks.
///
/// Its memory is 64 KiB whatever the source contains or claims to contain.
final class BufferedBytes {
  /// The most bytes that ``fill(atLeast:)`` can be asked for.
  static let windowSize = 65_536

  private let source: any ByteSource
  private let window: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  /// The place in the source, in bytes from its beginning, of the next byte to be consumed.
  private(set) var offset = 0

  init(_ source: any ByteSource) {
    self.source = source
    window = .allocate(byteCount: Self.windowSize, alignment: 16)
  }

  deinit {
    window.deallocate()
  }

  /// The length of the source in bytes; `nil` for a stream.
  var byteCount: Int? { source.byteCount }

  /// The bytes at hand, from ``offset`` on. Valid until the next mutating call.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: window[start..<end])
  }

  /// Brings at least `count` bytes into ``bytes``, or all that are left before the end.
  ///
  /// - Returns: The number of bytes at hand, less than `count` only at the end of the source.
  func fill(atLeast count: Int) throws(FileAccessError) -> Int {
    precondition(count <= Self.windowSize, "\(count) bytes exceed the window")
    if end - start >= count { return end - start }
    if start > 0 {
      window.copyMemory(from: bytes)
      end -= start
      start = 0
    }
    while end < count {
      let received = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: window[end...]))
      if received == 0 { break }
      end += received
    }
    return end
  }

  /// Takes `count` of the bytes at hand.
  func consume(_ count: Int) {
    precondition(count <= end - start, "consumes \(count) of \(end - start) bytes")
    start += count
    offset += count
  }

  /// Passes over up to `count` bytes and returns over how many; fewer only at the end.
  ///
  /// Files are sought, streams read and dropped.
  func skip(_ count: Int) throws(FileAccessError) -> Int {
    var left = count
    let atHand = min(left, end - start)
    consume(atHand)
    left -= atHand
    if left > 0, let byteCount = source.byteCount {
      let step = min(left, max(0, byteCount - offset))
      try move(to: offset + step)
      return count - left + step
    }
    while left > 0 {
      let step = min(left, try fill(atLeast: 1))
      if step == 0 { break }
      consume(step)
      left -= step
    }
    return count - left
  }

  /// Goes to `offset` bytes from the beginning of a source of known length.
  func move(to offset: Int) throws(FileAccessError) {
    try source.seek(to: offset)
    start = 0
    end = 0
    self.offset = offset
  }
}
