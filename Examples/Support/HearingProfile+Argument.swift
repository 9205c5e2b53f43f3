import Foundation
public import HearingFitting

extension HearingProfile {
  /// Reads the hearing profile that an AUDIOGRAM argument names. The argument is the name of a
  /// standard audiogram, or a file in any format that the package reads. A standard audiogram
  /// applies to both ears.
  ///
  /// - Parameters:
  ///   - argument: "N1" to "N7" or "S1" to "S3", upper or lower case, or a path. For a file with
  ///     one of these names, use a path such as "./N3".
  ///   - day: The day of the measurement to read, as written in the file. If nil, reads the newest
  ///     measurement.
  ///   - notes: Called with the assumptions that were made about unclear data in the file, one
  ///     sentence each.
  /// - Throws: ``CommandFailure`` if the file cannot be read or is invalid, or a usage error if a
  ///   day is given with a standard audiogram.
  public init(
    argument: String, measuredOn day: CalendarDay? = nil, notes: ([String]) -> Void = { _ in }
  ) throws(CommandFailure) {
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
      let selection = day.map(ProfileSelection.day) ?? .newest
      let found = try selection.measurement(
        of: HearingProfile.all(contentsOf: URL(fileURLWithPath: argument)))
      notes(found.notes)
      self = found.profile
    } catch {
      if let data = try? InputFile(argument).data(limit: 16 << 20), (try? Preset(json: data)) != nil
      {
        throw .badData(input: argument, reason: CommandFailure.presetInsteadOfProfile)
      }
      if let sound = OtherSoundFormat.nameOfSound(at: argument) {
        throw .badData(
          input: argument, reason: "it is a sound file (\(sound)), not an audiogram")
      }
      throw CommandFailure(error, reading: argument)
    }
  }
}
