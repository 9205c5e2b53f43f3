import Foundation
public import HearingFitting

extension HearingProfile {
  /// The listener that an AUDIOGRAM argument names: a standard audiogram, which both ears have, or
  /// a file in any format that the package reads.
  ///
  /// - Parameters:
  ///   - argument: "N1" to "N7" or "S1" to "S3", in either case, or a path; a file of such a name
  ///     is "./N3".
  ///   - day: Which measurement of the file is meant, by its day as the file writes it; nil: the
  ///     newest.
  /// - Throws: ``CommandFailure``: no input, bad data with the place, or a day for a standard
  ///   audiogram.
  public init(argument: String, measuredOn day: CalendarDay? = nil) throws(CommandFailure) {
    if let standard = Audiogram.standard(named: argument) {
      guard day == nil else { throw .usage(.conflict("--date", with: argument)) }
      self.init(left: standard, right: standard)
      return
    }
    do throws(CommandFailure) {
      try InputFile(argument).checkExistence()
    } catch .noInput(path: argument, reason: "no such file") {
      let names = Audiogram.standards.map(\.name).joined(separator: " ")
      throw .noInput(
        path: argument, reason: "no such file, and not a standard audiogram (\(names))")
    }
    do {
      try self.init(
        contentsOf: URL(fileURLWithPath: argument), selecting: day.map { .day($0) } ?? .newest)
    } catch {
      throw CommandFailure(error, reading: argument)
    }
  }
}
