public import HearingFitting

extension FittingLimits {
  /// Reads the limits that a `--limits` option names: "none", or a JSON file.
  ///
  /// - Throws: ``CommandFailure``: no input, or bad data with the name of the field.
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
