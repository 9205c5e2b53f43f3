internal import Foundation

/// The limits that a server sets for the storage of its answer in a cache (RFC 9111, sections 4.1
/// and 5.2.2).
///
/// `Vary` with names of request fields sets no limit: the cache key of the app distinguishes
/// listeners, and a new token must not make the preset of the same listener unusable.
struct CacheControl {
  /// Whether the answer may be stored: without `no-store`.
  let allowsStorage: Bool

  /// The age in seconds at which the server must confirm a stored answer before its next use. Nil
  /// if there is no limit.
  ///
  /// It is 0 with `no-cache` or `Vary: *`, and `max-age` with `must-revalidate`.
  let maximumAge: Double?

  init(_ answer: HTTPExchange.Answer) {
    let directives = Self.directives(answer.header("Cache-Control") ?? "")
    let varying = (answer.header("Vary") ?? "").split { ", \t".contains($0) }
    allowsStorage = directives["no-store"] == nil
    // With names, no-cache concerns only these fields of the answer.
    if directives["no-cache"] == "" || varying.contains("*") {
      maximumAge = 0
    } else if directives["must-revalidate"] != nil {
      let lifetime = directives["max-age"].flatMap(Double.init) ?? 0
      let age = answer.header("Age").flatMap(Double.init) ?? 0
      maximumAge = max(0, lifetime - age)
    } else {
      maximumAge = nil
    }
  }

  /// The directives with their arguments, for example `["max-age": "60", "no-store": ""]`. The
  /// names are in lower case. A comma in quotation marks does not separate directives.
  private static func directives(_ text: String) -> [String: String] {
    var result: [String: String] = [:]
    var isQuoted = false
    let parts = text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let name = pair.first?.lowercased() else { continue }
      result[name] = pair.count > 1 ? pair[1] : ""
    }
    return result
  }
}
