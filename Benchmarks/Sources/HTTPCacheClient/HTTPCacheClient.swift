import Foundation
import HearingFitting
import HearingProcessing
import HearingRemote

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads presets over HTTP as `suites/http-cache.mjs` asks; input and output are lines of JSON.
///
/// The first line of the output is a preset. Then each line of the input asks for one load, and
/// gives one line. Each load has a source of its own: loads share only what the cache's folder
/// holds. They run at the same time.
@main
struct HTTPCacheClient {
  private struct Load: Decodable, Sendable {
    var id: Int
    var url: URL
    /// The folder of the cache.
    var folder: String
    /// The request's header fields: names and values.
    var headers: [[String]]
  }

  /// All nil but `id`: the server has no preset.
  private struct Outcome: Encodable {
    var id: Int
    /// The rule version of the preset, by which the server tells its answers apart.
    var preset: Int?
    /// Why the server could not be asked or used; beside `preset`, which is from the cache then.
    var error: String?
    /// The server's unexpected status.
    var status: Int?
  }

  static func main() async throws {
    let example = try PrescriptionRule.nalRP.preset(for: HearingProfile(left: .n2))
    try write(example)
    await withTaskGroup(of: Void.self) { group in
      while let line = readLine() {
        group.addTask {
          do {
            try write(await run(JSONDecoder().decode(Load.self, from: Data(line.utf8))))
          } catch {
            fatalError("\(error): \(line)")
          }
        }
      }
    }
  }

  private static func write(_ value: some Encodable) throws {
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(value) + Data([10]))
  }

  private static func run(_ load: Load) async -> Outcome {
    let source = HTTPPresetSource(
      url: load.url, directory: URL(fileURLWithPath: load.folder, isDirectory: true),
      allowsInsecureHTTP: true
    ) { request in
      for field in load.headers { request.addValue(field[1], forHTTPHeaderField: field[0]) }
    }
    var outcome = Outcome(id: load.id)
    do {
      outcome.preset = try await source.loadPreset()?.ruleVersion
      if case .cached(_, let error) = source.freshness.value { outcome.error = "\(error)" }
    } catch {
      outcome.error = "\(error)"
      if case HTTPPresetError.unexpectedStatus(let status, _) = error { outcome.status = status }
    }
    return outcome
  }
}
