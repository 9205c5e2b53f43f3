import Foundation

/// The operating system's description of a failed file operation.
public enum SystemReason {
  /// A short description: the system's if the error carries an `errno`, otherwise Foundation's.
  public static func text(of error: any Error) -> String {
    let error = error as NSError
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    for candidate in [error, underlying] {
      if let candidate, candidate.domain == NSPOSIXErrorDomain {
        return text(ofNumber: Int32(truncatingIfNeeded: candidate.code))
      }
    }
    return error.localizedDescription
  }

  /// A short description of a value of `errno`.
  public static func text(ofNumber number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }
}
