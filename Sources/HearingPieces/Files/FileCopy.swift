internal import Foundation
internal import HearingAudio
internal import HearingFitting

/// Copies a file. The required memory does not depend on the size of the file. The copy appears at
/// its path only when the copy is complete.
struct FileCopy {
  private static let stepByteCount = 1 << 18

  /// A closure that is called with the completed fraction of the copy operation, 0…1.
  var progress: (Double) -> Void = { _ in }

  /// Copies the current contents of the regular file at `source` to `destination`. `destination`
  /// may also be a pipe or a device.
  ///
  /// - Returns: The digest of the copied bytes.
  /// - Throws: `FileAccessError`, `CancellationError`, or the error of `check`. The function checks
  ///   for cancellation before each block of 256 KiB. The function calls `check` with the digest of
  ///   the copy, before the copy appears at `destination`.
  @discardableResult
  func copy(
    _ source: URL, to destination: URL, check: (PieceDigest) throws -> Void = { _ in }
  ) throws -> PieceDigest {
    let (input, byteCount) = try Self.open(source)
    try Self.checkFileURL(destination)
    let output = try FileByteSink(path: destination.path)
    var hash = DigestAccumulator()
    var done = 0
    while done < byteCount {
      try Task.checkCancellation()
      let bytes = try Self.read(input, atMost: min(Self.stepByteCount, byteCount - done))
      if bytes.isEmpty { break }
      try output.write(bytes, at: nil)
      hash.add(bytes)
      done += bytes.count
      progress(Double(done) / Double(byteCount))
    }
    try Task.checkCancellation()
    let digest = PieceDigest(rawValue: hash.value)
    try check(digest)
    try output.commit()
    return digest
  }

  /// Reads the current contents of a regular file block by block, and calls `step` with the bytes
  /// of each block.
  static func read(_ file: URL, step: ([UInt8]) -> Void) throws(FileAccessError) {
    let (input, byteCount) = try open(file)
    var done = 0
    while done < byteCount {
      let bytes = try read(input, atMost: min(stepByteCount, byteCount - done))
      if bytes.isEmpty { break }
      step(bytes)
      done += bytes.count
    }
  }

  /// Writes `bytes` to a file.
  static func write(_ bytes: some Sequence<UInt8>, to destination: URL) throws(FileAccessError) {
    let output = try FileByteSink(replacing: destination.path)
    try output.write(Array(bytes), at: nil)
    try output.commit()
  }

  /// Returns at most `limit` bytes from the start of a regular file.
  static func bytes(of file: URL, limit: Int) throws(FileAccessError) -> [UInt8] {
    let (input, byteCount) = try open(file)
    do {
      return try input.readAll(limit: min(limit, byteCount))
    } catch {
      throw FileAccessError(error)
    }
  }

  /// Opens a regular file. A pipe is rejected, because the operation that opens a pipe could block
  /// forever.
  private static func open(_ file: URL) throws(FileAccessError) -> (FileByteSource, Int) {
    try checkFileURL(file)
    if FileKind(file, followingLinks: true) == .other {
      throw .system(
        path: file.path, operation: "open", code: EINVAL, reason: "not a regular file")
    }
    let input: FileByteSource
    do { input = try FileByteSource(path: file.path) } catch { throw FileAccessError(error) }
    guard let byteCount = input.byteCount else {
      throw .system(
        path: file.path, operation: "open", code: EINVAL, reason: "not a regular file")
    }
    return (input, byteCount)
  }

  /// Checks that a URL is a file URL.
  static func checkFileURL(_ url: URL) throws(FileAccessError) {
    guard url.isFileURL else { throw .notFileURL(url: url.absoluteString) }
  }

  private static func read(
    _ input: FileByteSource, atMost count: Int
  ) throws(FileAccessError) -> [UInt8] {
    do { return try input.read(atMost: count) } catch { throw FileAccessError(error) }
  }
}
