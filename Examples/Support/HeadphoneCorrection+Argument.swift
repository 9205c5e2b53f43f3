import Foundation
internal import HearingAudio
public import HearingDSP
internal import HearingFitting

extension HeadphoneCorrection {
  /// Reads the headphone correction from the file that a `--headphone` option names.
  ///
  /// The file is a `ParametricEQ.txt` or `GraphicEQ.txt` of the project AutoEq, or the headphone's
  /// measured frequency response as CSV. For a measured response, the correction makes the response
  /// flat. The encoding is UTF-8 or UTF-16. Invalid bytes in UTF-8 are not an error, because
  /// comments in such files may have another encoding.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or is invalid. The error contains the
  ///   line number.
  public init(argument path: String) throws(CommandFailure) {
    // This limit of the file size is higher than the limit of `init(text:)`. Therefore
    // `init(text:)` reports a file that is too large.
    let data = try InputFile(path).data(limit: 2 * 1024 * 1024)
    do {
      let text = try? TextEncoding.text(of: [UInt8](data))
      try self.init(text: text ?? String(decoding: data, as: UTF8.self))
    } catch {
      throw .badData(input: path, reason: "\(error)")
    }
  }
}
