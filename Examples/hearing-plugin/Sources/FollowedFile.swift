import HearingPluginRuntime

/// The state of a file. An output port of the plugin shows the raw value of the state.
enum FileStatus: Float, Error {
  /// A control of the plugin switches the file off.
  case off = 0
  /// The file is in use.
  case used = 1
  /// There is no file.
  case missing = 2
  /// The file cannot be read, or it is longer than ``FollowedFile/maximumLength``.
  case unreadable = 3
  /// The file is incomplete or its content is invalid.
  case damaged = 4
  /// The file was written by a newer version of this package.
  case newer = 5
}

/// A file in the user's configuration folder. If the file becomes invalid or is removed, its last
/// valid content remains.
struct FollowedFile<Content> {
  /// The last valid content.
  private(set) var content: Content?
  /// The state of the file at the last call of ``refresh()``.
  private(set) var status = FileStatus.missing

  private let path: [CChar]
  private let parse: (String) throws(FileStatus) -> Content
  private var version: HearingFileVersion?

  /// The maximum size of the file in bytes.
  static var maximumLength: Int { 1 << 20 }

  /// Stores the name of the file. Does not read the file.
  init(_ name: String, parse: @escaping (String) throws(FileStatus) -> Content) {
    var path = [CChar](repeating: 0, count: 4096)
    if !hearing_configuration_path(name, &path, path.count) { path[0] = 0 }
    self.path = path
    self.parse = parse
  }

  /// Reads the file if it has changed since the last call.
  mutating func refresh() {
    do throws(FileStatus) {
      let found = try currentVersion()
      if found.isSame(as: version) { return }
      version = nil
      let text = try read()
      // If the file changes during reading, the next call of `refresh` reads the file again.
      if try currentVersion().isSame(as: found) { version = found }
      content = try parse(text)
      status = .used
    } catch {
      status = error
      if error != .damaged && error != .newer { version = nil }
    }
  }

  private func currentVersion() throws(FileStatus) -> HearingFileVersion {
    var version = HearingFileVersion()
    let error = hearing_file_version(path, &version)
    guard error == 0 else { throw error == 2 || error == 20 ? .missing : .unreadable }
    return version
  }

  private func read() throws(FileStatus) -> String {
    var size = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.maximumLength + 1) { buffer, count in
      size = buffer.baseAddress.map { hearing_file_read(path, $0, buffer.count) } ?? -1
      count = max(0, size)
    }
    guard size >= 0, size <= Self.maximumLength else { throw .unreadable }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension HearingFileVersion {
  fileprivate func isSame(as other: Self?) -> Bool {
    guard let other else { return false }
    return device == other.device && number == other.number && size == other.size
      && seconds == other.seconds && nanoseconds == other.nanoseconds
  }
}
