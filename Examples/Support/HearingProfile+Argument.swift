import Foundation
public import HearingFitting

extension HearingProfile {
  /// The most bytes of a file that are read: more than any reader accepts, so that it is the reader
  /// who says what is too much.
  private static let greatestSize = 17 * 1024 * 1024

  /// The listener that an AUDIOGRAM argument names: a standard audiogram, which both ears have, or
  /// a file in any format that the package reads.
  ///
  /// - Parameters:
  ///   - argument: "N1" to "N7" or "S1" to "S3", in either case, or a path; a file of such a name is
  ///     "./N3".
  ///   - day: Which measurement of the file is meant, by its day in UTC; nil: the newest.
  /// - Throws: ``CommandFailure``: no input, bad data with the place, or a day for a standard
  ///   audiogram.
  public init(argument: String, measuredOn day: CalendarDay? = nil) throws(CommandFailure) {
    if let standard = Audiogram.standard(named: argument) {
      guard day == nil else { throw .usage(.conflict("--date", with: argument)) }
      self.init(left: standard, right: standard)
      return
    }
    let file = InputFile(argument)
    do throws(CommandFailure) {
      try file.checkExistence()
    } catch .noInput(path: argument, reason: "no such file") {
      let names = Audiogram.standards.map(\.name).joined(separator: " ")
      throw .noInput(
        path: argument, reason: "no such file, and not a standard audiogram (\(names))")
    }
    let data = try file.data(limit: Self.greatestSize)
    do {
      try self.init(json: data)
    } catch {
      throw .badData(place: argument, reason: error.description)
    }
    guard let day else { return }
    let measured = measuredAt.flatMap(CalendarDay.init)
    guard measured == day else {
      let found = measured.map { "the one in it is of \($0)" } ?? "the one in it has no date"
      throw .badData(place: argument, reason: "no audiogram of \(day); \(found)")
    }
  }
}
