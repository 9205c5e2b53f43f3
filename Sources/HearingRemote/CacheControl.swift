internal import Foundation

/// The limits that a server sets for the reuse of a stored answer (RFC 9111, sections 4.1, 4.2 and
/// 5.2.2).
///
/// The header field `Vary` contains names of request fields. These names are ignored, because the
/// app's cache key already distinguishes the listeners. If the names were not ignored, a server
/// could name the request field of the access token. In this case, each new token would make the
/// cached preset unusable.
struct CacheControl {
  /// The names of the header fields that are stored with an answer, in lower case.
  static let fields = ["age", "cache-control", "date", "expires", "vary"]
  /// The maximum for a number of seconds in a header field, for example for a lifetime. Larger
  /// numbers are reduced to this maximum (RFC 9111, section 1.2.2).
  private static let maximumSeconds = 2_147_483_648.0

  /// Whether the answer may be stored. False if the answer has the directive `no-store`.
  let allowsStorage: Bool

  /// The age limit in seconds. After a stored answer has reached this age, the answer may be used
  /// only with a new confirmation by the server. Nil if there is no limit.
  ///
  /// With `no-cache` or `Vary: *`, the limit is 0. With `must-revalidate`, the limit is the
  /// lifetime of the answer minus the number of seconds in the field `Age`.
  let maximumAge: Double?

  /// - Parameter headers: The header fields of the answer, with names in lower case.
  init(_ headers: [String: String]) {
    let directives = Self.directives(headers["cache-control"] ?? "")
    let varying = (headers["vary"] ?? "").split { ", \t".contains($0) }
    allowsStorage = directives["no-store"] == nil
    // If `no-cache` has arguments, the directive applies only to the header fields that these
    // arguments name.
    if directives["no-cache"]?.contains("") == true || varying.contains("*") {
      maximumAge = 0
    } else if directives["must-revalidate"] != nil {
      let lifetime =
        directives["max-age"].map { Self.seconds($0[0]) ?? 0 } ?? Self.expiry(headers) ?? 0
      maximumAge = max(0, lifetime - (headers["age"].flatMap(Self.seconds) ?? 0))
    } else {
      maximumAge = nil
    }
  }

  /// Parses a number of seconds. Returns nil if the text is empty or contains a character that is
  /// not a digit.
  private static func seconds(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    return Double(text).map { min($0, maximumSeconds) }
  }

  /// The lifetime of an answer in seconds: the time from the field `Date` to the field `Expires`.
  private static func expiry(_ headers: [String: String]) -> Double? {
    guard let end = headers["expires"].flatMap(HTTPExchange.Answer.date),
      let start = headers["date"].flatMap(HTTPExchange.Answer.date)
    else { return nil }
    return end.timeIntervalSince(start)
  }

  /// Parses the directives of the field `Cache-Control`. For example, the result for
  /// `max-age=60, no-store` is `["max-age": ["60"], "no-store": [""]]`. The keys are the names of
  /// the directives in lower case. The values are lists of arguments. A comma in quotation marks
  /// does not separate directives.
  private static func directives(_ text: String) -> [String: [String]] {
    var result: [String: [String]] = [:]
    var isQuoted = false
    var isEscaped = false
    let parts = text.split { character in
      defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let name = pair.first?.lowercased() else { continue }
      let argument = pair.count > 1 ? pair[1] : ""
      result[name, default: []].append(argument.trimmingCharacters(in: ["\""]))
    }
    return result
  }
}
