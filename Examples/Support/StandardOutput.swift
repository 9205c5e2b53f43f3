import Foundation

/// What a command prints for its caller.
public enum StandardOutput {
  /// Prints text as it is.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(path:reason:)``, say on a full disk.
  public static func write(_ text: String) throws(CommandFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw .cannotWrite(path: "standard output", reason: SystemReason.text(of: error))
    }
  }
}
