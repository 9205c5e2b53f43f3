import Foundation

/// How much memory this process has, in bytes; nil where the system does not tell in this way.
enum ProcessMemory {
  /// What is in the machine's memory now.
  static var resident: Int? { value("VmRSS") }

  /// What address space there is now, touched or not.
  static var reserved: Int? { value("VmSize") }

  /// The most address space that there has been, touched or not.
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
