internal import Foundation
internal import HearingProcessing

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One HTTP request and its answer. The size of the answer and the duration of the exchange are
/// limited.
///
/// A call of Foundation may block. Therefore the task that loads a preset never waits for
/// Foundation. On Linux, all URL sessions of a process use one common queue. Creating, starting or
/// cancelling a URL task waits until this queue is free. The queue is busy as long as data arrives
/// faster than the process reads the data. The time-out of an exchange does not wait for the queue.
// The class is Sendable because a lock protects `state`, and all other properties are constants.
final class HTTPExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  struct Options: Sendable {
    let allowsInsecureHTTP: Bool
    let maximumSize: Int
    let timeout: Duration

    func allows(_ url: URL) -> Bool {
      switch url.scheme?.lowercased() {
      case "https": true
      case "http": allowsInsecureHTTP
      default: false
      }
    }

    /// Whether a redirect from `origin` to `target` is followed. `target` must have the same host
    /// as `origin`. If both have the same scheme, `target` must also have the same port as
    /// `origin`. The scheme may change from http to https, but not from https to http.
    func follows(_ target: URL, from origin: URL) -> Bool {
      guard allows(target), target.host?.lowercased() == origin.host?.lowercased() else {
        return false
      }
      let isSecure = target.scheme?.lowercased() == "https"
      // In a redirect from http to https, the ports are not compared, because http and https use
      // different ports.
      guard origin.scheme?.lowercased() == target.scheme?.lowercased() else { return isSecure }
      let port = isSecure ? 443 : 80
      return target.port ?? port == origin.port ?? port
    }
  }

  /// A complete answer of the server.
  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: Data
  }

  private typealias Outcome = Result<Answer, any Error>

  private let options: Options
  private let origin: URL?
  private let state = Lock(State())

  private struct State: Sendable {
    var continuation: CheckedContinuation<Answer, any Error>?
    var outcome: Outcome?
    var status = 0
    var headers: [String: String] = [:]
    var body = Data()
    var isCancelled = false
  }

  private init(_ request: URLRequest, _ options: Options) {
    self.options = options
    origin = request.url
  }

  /// Sends the request, and waits for the complete answer.
  ///
  /// - Throws: `HTTPPresetError`, or `CancellationError` if the task is cancelled.
  static func run(
    _ request: URLRequest, _ options: Options, scheduler: any DeadlineScheduler
  ) async throws -> Answer {
    let exchange = HTTPExchange(request, options)
    let timer = scheduler.schedule(at: scheduler.now + options.timeout) {
      exchange.end(.failure(HTTPPresetError.timedOut(options.timeout)))
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { exchange.begin(request, $0) }
    } onCancel: {
      exchange.end(.failure(CancellationError()))
    }
  }

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  private func begin(
    _ request: URLRequest, _ continuation: CheckedContinuation<Answer, any Error>
  ) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { return continuation.resume(with: outcome) }
    Thread.detachNewThread { [self] in send(request) }
  }

  /// Creates and starts the URL task. This method may block, because on Linux all URL sessions use
  /// one common queue.
  private func send(_ request: URLRequest) {
    let session = URLSession(configuration: Self.configuration, delegate: self, delegateQueue: nil)
    var request = request
    request.timeoutInterval = max(1, options.timeout / .seconds(1))
    let task = session.dataTask(with: request)
    if isOver { task.cancel() } else { task.resume() }
    session.finishTasksAndInvalidate()
  }

  private var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Ends the exchange with an outcome. Does nothing if the exchange already has an outcome.
  ///
  /// Foundation on Linux stops the program if a URL task is cancelled while the delegate decides
  /// about a redirect. Therefore `end` does not cancel the URL task. The URL task ends when the
  /// next data arrives, or at the time-out of the request.
  private func end(_ outcome: Outcome) {
    let continuation = state.withLock { state in
      guard state.outcome == nil else { return nil as CheckedContinuation<Answer, any Error>? }
      state.outcome = outcome
      return state.continuation.take()
    }
    continuation?.resume(with: outcome)
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let target = request.url, let origin, options.follows(target, from: origin) else {
      let words = request.url?.absoluteString ?? "nowhere"
      completionHandler(nil)
      return end(.failure(HTTPPresetError.redirectRefused(words)))
    }
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let response = response as? HTTPURLResponse else {
      end(.failure(HTTPPresetError.notAPreset("it is not an HTTP answer")))
      return completionHandler(.cancel)
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String {
        headers[name.lowercased()] = value
      }
    }
    let (status, fields) = (response.statusCode, headers)
    state.withLock { state in
      state.status = status
      state.headers = fields
    }
    if response.expectedContentLength > Int64(options.maximumSize) {
      end(.failure(HTTPPresetError.tooLarge(limit: options.maximumSize)))
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (isOver, isTooLarge) = state.withLock { state in
      guard state.outcome == nil else { return (true, false) }
      state.body.append(data)
      return (false, state.body.count > options.maximumSize)
    }
    if isTooLarge { end(.failure(HTTPPresetError.tooLarge(limit: options.maximumSize))) }
    if isTooLarge || isOver { cancel(dataTask, of: session) }
  }

  /// Cancels the URL task on the delegate's queue. Foundation on Linux crashes if a task completes
  /// during its cancellation. While the delegate's queue runs the cancellation, the task cannot
  /// complete. Before the cancellation, a separate thread waits until the session's queue is free.
  /// The delegate's queue itself must not wait, because data that arrives during the wait
  /// accumulates in memory.
  private func cancel(_ task: URLSessionTask, of session: URLSession) {
    let isFirst = state.withLock { state in
      defer { state.isCancelled = true }
      return !state.isCancelled
    }
    guard isFirst else { return }
    Thread.detachNewThread {
      // Reading the priority of the URL task blocks until the session's queue is free.
      _ = task.priority
      session.delegateQueue.addOperation { task.cancel() }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error { return end(.failure(HTTPPresetError.notConnected(error))) }
    let answer = state.withLock { state in
      // If a redirect has no valid target, Foundation on Linux does not pass the response of the
      // redirect to the delegate. In this case, the status is still 0.
      if state.status == 0, let response = task.response as? HTTPURLResponse {
        state.status = response.statusCode
      }
      return Answer(status: state.status, headers: state.headers, body: state.body)
    }
    if let length = answer.header("Content-Length").flatMap({ Int($0) }),
      length > answer.body.count, answer.status == 200, answer.header("Content-Encoding") == nil
    {
      return end(
        .failure(
          HTTPPresetError.notAPreset("\(answer.body.count) of \(length) bytes have come")))
    }
    end(.success(answer))
  }
}

extension HTTPExchange.Answer {
  func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// Those header fields of the answer that are listed in ``CacheControl/fields``.
  var cachingHeaders: [String: String] { headers.filter { CacheControl.fields.contains($0.key) } }

  /// The media type of the answer in lower case, without parameters such as `charset`.
  var type: String? {
    header("Content-Type").flatMap { $0.split(separator: ";").first }.map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
  }

  /// True if the answer's media type is JSON, or if the answer has no media type.
  var isJSON: Bool {
    guard let type else { return true }
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }

  /// The delay in seconds that the server requests with the field `Retry-After`. The field contains
  /// a number of seconds or a date. Nil if the field is missing or invalid.
  func retryAfter(at now: Date) -> Double? {
    guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if let seconds = Double(text) { return seconds.isFinite ? max(0, seconds) : nil }
    return Self.date(text).map { max(0, $0.timeIntervalSince(now)) }
  }

  /// Parses a date in the usual form of HTTP: "Sun, 06 Nov 1994 08:49:37 GMT".
  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }
}
