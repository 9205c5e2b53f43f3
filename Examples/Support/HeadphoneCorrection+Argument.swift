import Foundation
internal import HearingAudio
public import HearingDSP

extension HeadphoneCorrection {
  /// Reads the correction that a `--headphone` option names: a `ParametricEQ.txt` or
  /// `GraphicEQ.txt` of AutoEq, or a measured response as CSV. A measured response is corrected to
  /// a flat response.
  ///
  /// - Throws: ``CommandFailure``: no input, or bad data with the line number.
  public init(argument path: String) throws(CommandFailure) {
    // This limit is higher than that of `init(text:)`, so that `init(text:)` reports a file that is
    // too large.
    let data = try InputFile(path).data(limit: 2 * 1024 * 1024)
    do {
      try self.init(text: String(decoding: data, as: UTF8.self))
    } catch {
      throw .badData(place: path, reason: "\(error)")
    }
  }
}
