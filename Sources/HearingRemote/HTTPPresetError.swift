public import Foundation

/// The reason why a preset could not be loaded from a server.
public enum HTTPPresetError: Error {
  /// The scheme of the URL is not allowed. The scheme must be https. The scheme http is allowed
  /// only if `allowsInsecureHTTP` is true.
  case insecureURL(String)
  /// The request could not be prepared. The associated error was thrown by the app's closure.
  case notPrepared(any Error)
  /// There is no connection to the server, or the connection ended before the answer was complete.
  case notConnected(any Error)
  /// The answer was not complete within the time-out. The associated value is the time-out.
  case timedOut(Duration)
  /// The answer has more than `limit` bytes.
  case tooLarge(limit: Int)
  /// The server redirects the request to another host or port, or from https to http.
  case redirectRefused(String)
  /// The server answered with an unexpected HTTP status. `retryAfter` is the delay in seconds that
  /// the server requests, or nil if the server requests no delay.
  case unexpectedStatus(Int, retryAfter: Double?)
  /// The answer is not a preset. The associated value is the reason.
  case notAPreset(String)
  /// No request was sent, because an earlier load has failed. The associated value is the remaining
  /// delay until the next request.
  case waiting(Duration)

  var retryAfter: Double? {
    if case .unexpectedStatus(_, let seconds) = self { seconds } else { nil }
  }

  /// Whether the cached preset may be used after this error. The cached preset may be used if the
  /// server or the connection failed.
  ///
  /// The HTTP status codes 429 and 5xx mean that the server failed. Any other unexpected status
  /// code means that the server has made a decision about this listener. For example, 401 or 403
  /// can mean that the listener has signed out. The log-in page of a network (captive portal)
  /// causes `notAPreset` or `redirectRefused`. Therefore the cached preset may be used after these
  /// two errors.
  var allowsCachedPreset: Bool {
    switch self {
    case .notConnected, .timedOut, .waiting, .notAPreset, .tooLarge, .redirectRefused: true
    case .unexpectedStatus(let status, _): status == 429 || (500...599).contains(status)
    case .notPrepared(let error): error is URLError
    case .insecureURL: false
    }
  }

  /// Whether there is a delay before the next request to the server.
  ///
  /// There is no delay if the server has made a decision about this listener, for example with the
  /// status 401. During a delay after the status 401, no request with a new access token could be
  /// sent. Loads during the delay would use the cached preset.
  var delaysNextLoad: Bool {
    if case .unexpectedStatus = self { return allowsCachedPreset }
    return true
  }
}

extension HTTPPresetError: LocalizedError, CustomStringConvertible {
  /// A message for the user, in one sentence.
  public var errorDescription: String? { description }

  /// One sentence that says what happened.
  public var description: String {
    switch self {
    case .insecureURL(let url): "\(url) is not an https URL."
    case .notPrepared(let error): "The request could not be prepared: \(error)"
    case .notConnected(let error):
      "The server could not be reached: \((error as NSError).localizedDescription)"
    case .timedOut(let duration): "The server did not answer within \(duration)."
    case .tooLarge(let limit): "The server's answer is larger than \(limit) bytes."
    case .redirectRefused(let url): "The server redirects to \(url), which is not followed."
    case .unexpectedStatus(let status, _): "The server answered with the status \(status)."
    case .notAPreset(let reason): "The server's answer is not a preset: \(reason)"
    case .waiting(let duration):
      "The server failed shortly before and is not asked again for \(duration)."
    }
  }
}
