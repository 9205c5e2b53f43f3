import Foundation

/// What the operating system says about a failed operation on a file.
public enum SystemReason {
  /// In a few words: the system's own where it gives a number, else Foundation's.
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

  /// In a few words, for a value of `errno`.
  public static func text(ofNumber number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }
}
