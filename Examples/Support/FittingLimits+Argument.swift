public import HearingFitting

extension FittingLimits {
  /// Reads the gain limits that a `--limits` option names. The argument is "none" or the path of a
  /// JSON file.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or is invalid. The error names the
  ///   invalid field.
  public init(argument: String) throws(CommandFailure) {
    guard argument != "none" else {
      self = .none
      return
    }
    let data = try InputFile(argument).data(limit: 64 * 1024)
    do {
      try self.init(json: data)
    } catch {
      throw CommandFailure(error, reading: argument)
    }
  }
}
