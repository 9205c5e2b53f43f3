import Foundation

extension Double {
  /// Seconds as minutes, seconds and hundredths, for example 0:11.08. The text is the same in every
  /// locale.
  public var clockText: String {
    let hundredths = Int((self * 100).rounded())
    return String(
      format: "%d:%02d.%02d", hundredths / 6_000, hundredths / 100 % 60, hundredths % 100)
  }
}
