import Foundation

/// The memory of this process in bytes; nil on systems without `/proc/self/status`.
enum ProcessMemory {
  /// The current resident memory.
  static var resident: Int? { value("VmRSS") }

  /// The current size of the address space. It includes memory that was never accessed.
  static var reserved: Int? { value("VmSize") }

  /// The peak size of the address space. It includes memory that was never accessed.
  static var peakReserved: Int? { value("VmPeak") }

  private static func value(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      .map { $0 * 1_024 }
  }
}
