internal import Foundation
internal import HearingAudio

/// Copies a file in constant memory; a copy that is a file appears, on the disk, only when it is
/// complete.
struct FileCopy {
  private static let stepByteCount = 1 << 18

  /// Told of the part that is done, 0…1.
  var progress: (Double) -> Void = { _ in }

  /// Copies what the regular file at `source` has at this moment. A pipe or a device at `destination`
  /// is written to, and stays what it is.
  ///
  /// - Throws: `FileAccessError`, or `CancellationError` once the task is cancelled: it is asked
  ///   before every 256 KiB.
  func copy(_ source: URL, to destination: URL) throws {
    let (input, byteCount) = try Self.open(source)
    let output = try openByteSink(path: destination.path)
    let step = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.stepByteCount, alignment: 16)
    defer { step.deallocate() }
    var done = 0
    while done < byteCount {
      try Task.checkCancellation()
      let wanted = min(step.count, byteCount - done)
      let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: step[..<wanted]))
      if count == 0 { break }
      try output.write(UnsafeRawBufferPointer(rebasing: step[..<count]))
      done += count
      progress(Double(done) / Double(byteCount))
    }
    try Task.checkCancellation()
    try output.commit()
  }

  /// Writes `bytes` as a file.
  static func write(_ bytes: some ContiguousBytes, to destination: URL) throws(FileAccessError) {
    let output = try ReplacingFileSink(path: destination.path)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileAccessError) in try output.write(bytes) }
    }
    try result.get()
    try output.commit()
  }

  /// The first bytes of a regular file, at most `limit`.
  static func bytes(of file: URL, limit: Int) throws(FileAccessError) -> [UInt8] {
    let (input, byteCount) = try open(file)
    var bytes: [UInt8] = []
    let step = UnsafeMutableRawBufferPointer.allocate(byteCount: stepByteCount, alignment: 16)
    defer { step.deallocate() }
    while bytes.count < min(limit, byteCount) {
      let wanted = min(step.count, min(limit, byteCount) - bytes.count)
      let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: step[..<wanted]))
      if count == 0 { break }
      bytes.append(contentsOf: step[..<count])
    }
    return bytes
  }

  /// Opens a regular file; a pipe, which might never give anything, is not opened at all.
  private static func open(_ file: URL) throws(FileAccessError) -> (FileByteSource, Int) {
    if FileKind(file, followingLinks: true) == .other {
      throw .system(
        path: file.path, operation: "open", code: EINVAL, reason: "not a regular file")
    }
    let input = try FileByteSource(path: file.path)
    guard let byteCount = input.byteCount else {
      throw .system(
        path: file.path, operation: "open", code: EINVAL, reason: "not a regular file")
    }
    return (input, byteCount)
  }
}
