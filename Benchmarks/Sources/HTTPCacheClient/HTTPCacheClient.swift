import Foundation
import HearingFitting
import HearingProcessing
import HearingRemote

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads presets over HTTP for `suites/http-cache.mjs`. Input and output are lines of JSON.
///
/// The first line of the output is a preset. Each line of the input requests one load of a preset,
/// and each load writes one line. The loads run at the same time. Each load creates an
/// `HTTPPresetSource`. Loads with the same cache folder use the same files.
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

  /// The result of a load. If all values except `id` are nil, the server has no preset.
  private struct Outcome: Encodable {
    var id: Int
    /// The rule version of the preset. The server uses it to identify its answers.
    var preset: Int?
    /// The reason why the server did not give a usable answer. In this case, `preset` is the rule
    /// version of the preset in the cache, or nil if the cache is empty.
    var error: String?
    /// The HTTP status of the server's answer, if it was unexpected.
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
