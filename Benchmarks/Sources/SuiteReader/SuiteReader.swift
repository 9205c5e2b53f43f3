import Foundation
import HearingAudio
import HearingAudiometry
import HearingFitting
import HearingPieces

/// Reads the files of test suites with the package's readers. Used by the scripts in `suites`.
///
/// - `wav FILE OUT` writes the samples of a WAV file to OUT as interleaved 32-bit floats. It prints
///   the maximum memory in kB, then the sample rate and the number of channels. If the file cannot
///   be read, it prints `error` and the reason instead.
/// - `json FILE …` makes a JSON document for each file. This document contains the whole file as
///   the value of an unknown key. The command prints the names of the readers that reject the
///   document as invalid JSON, or `none`.
/// - `speech-level FILE …` prints a line for each WAV file: the active level and the long-term
///   level in dB, and the activity factor. For a file without speech, it prints `none`.
/// - `fhir FILE …` prints what is read from each document, as lines of fields separated by tabs.
///   The first field is `file`, `profile`, `left`, `right`, `note` or `error`.
@main
struct SuiteReader {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "wav" where arguments.count == 3:
      try readWAV(arguments[1], writing: arguments[2])
    case "json" where arguments.count > 1:
      for path in arguments.dropFirst() { try readJSON(path) }
    case "speech-level" where arguments.count > 1:
      for path in arguments.dropFirst() { try measureSpeech(path) }
    case "fhir" where arguments.count > 1:
      for path in arguments.dropFirst() { readFHIR(path) }
    default:
      let usage = "wav FILE OUT, json FILE …, speech-level FILE …, or fhir FILE …"
      FileHandle.standardError.write(Data("SuiteReader: \(usage)\n".utf8))
      exit(64)
    }
  }

  private static func readWAV(_ path: String, writing output: String) throws {
    do {
      let reader = try WAVReader(path: path)
      let samples = try reader.readSamples()
      print(try memory(), terminator: " ")
      var interleaved: [Float] = []
      for frame in 0..<(samples.first?.count ?? 0) {
        for channel in samples { interleaved.append(channel[frame]) }
      }
      try interleaved.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: output)) }
      print(reader.format.sampleRate, samples.count)
    } catch let error as WAVReadError {
      print(try memory(), "error", error)
    }
  }

  /// The maximum resident memory of this process so far in kB, as reported by Linux.
  private static func memory() throws -> String {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.map(String.init) ?? "0"
  }

  /// Whether a reader accepts the data as JSON. The reader may still reject the content of the
  /// JSON.
  private static func isJSON(_ read: () throws -> Void) throws -> Bool {
    do {
      try read()
    } catch let error as UnreadableDocument {
      if case .malformed = error { return false }
    }
    return true
  }

  private static func readJSON(_ path: String) throws {
    let suite = try Data(contentsOf: URL(fileURLWithPath: path))
    let data = Data(#"{"another": "#.utf8) + suite + Data(#", "more": 1}"#.utf8)
    let readers: [(String, () throws -> Void)] = [
      ("Preset", { _ = try Preset(json: data) }),
      ("HearingProfile", { _ = try HearingProfile(json: data) }),
      ("FittingLimits", { _ = try FittingLimits(json: data) }),
      ("ToneTest", { _ = try ToneTest(json: data) }),
      ("HeadphoneCalibration", { _ = try HeadphoneCalibration(json: data) }),
      ("DigitsInNoiseTest", { _ = try DigitsInNoiseTest(json: data) }),
      ("PieceMetadata", { _ = try PieceMetadata(json: data) }),
      ("PieceRecord", { _ = try PieceRecord(json: data) }),
    ]
    let refusing = try readers.filter { try !isJSON($0.1) }.map(\.0)
    print(refusing.isEmpty ? "none" : refusing.joined(separator: " "))
  }

  private static func measureSpeech(_ path: String) throws {
    let meter = try ActiveSpeechLevel.measure(WAVReader(path: path))
    guard let reading = meter.reading else {
      print("none")
      return
    }
    print(reading.activeLevel, reading.longTermLevel, reading.activityFactor)
  }

  private static func readFHIR(_ path: String) {
    write("file", path)
    do {
      for imported in try HearingProfile.all(contentsOf: URL(fileURLWithPath: path)) {
        write("profile", imported.day?.description ?? "undated", imported.position)
        write(imported.profile.left, ear: "left")
        write(imported.profile.right, ear: "right")
        for note in imported.notes { write("note", note) }
      }
    } catch .invalid(let place, let reason) {
      write("error", "invalid", place, reason)
    } catch {
      let name = Mirror(reflecting: error).children.first?.label ?? ""
      write("error", name, "", "\(error)")
    }
  }

  private static func write(_ audiogram: Audiogram?, ear: String) {
    for point in audiogram?.points ?? [] {
      var flags: [String] = []
      if point.isNoResponse { flags.append("no response") }
      if point.isClamped { flags.append("clamped") }
      if point.isMasked { flags.append("masked") }
      write(
        ear, "\(point.frequency)", "\(point.threshold)", flags.joined(separator: ", "))
    }
  }

  private static func write(_ fields: String...) {
    let line = fields.joined(separator: "\t").split(whereSeparator: \.isNewline)
    print(line.joined(separator: " "))
  }
}
