import Foundation
public import HearingFitting

extension Preset {
  /// The preset in a file of this package's JSON.
  ///
  /// - Throws: ``CommandFailure``: no input, or bad data with the place.
  public init(argument path: String) throws(CommandFailure) {
    // More than the reader accepts, so that it is the reader who says what is too much.
    let data = try InputFile(path).data(limit: 17 * 1024 * 1024)
    do {
      try self.init(json: data)
    } catch {
      throw CommandFailure(error, reading: path)
    }
  }
}
