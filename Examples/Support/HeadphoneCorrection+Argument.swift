import Foundation
internal import HearingAudio
public import HearingDSP
internal import HearingFitting

extension HeadphoneCorrection {
  /// Reads the headphone correction from the file that a `--headphone` option names.
  ///
  /// The file is a `ParametricEQ.txt` or `GraphicEQ.txt` of AutoEq, or a measured frequency
  /// response as CSV, in UTF-8 or UTF-16. Bytes that are not UTF-8 are ignored, because comments of
  /// such files may have another encoding. The correction of a measured response makes the response
  /// flat.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or is invalid. The error contains the
  ///   line number.
  public init(argument path: String) throws(CommandFailure) {
    // This limit is higher than that of `init(text:)`, so that `init(text:)` reports a file that is
    // too large.
    let data = try InputFile(path).data(limit: 2 * 1024 * 1024)
    do {
      let text = try? TextEncoding.text(of: [UInt8](data))
      try self.init(text: text ?? String(decoding: data, as: UTF8.self))
    } catch {
      throw .badData(input: path, reason: "\(error)")
    }
  }
}
