public import Foundation
public import HearingFitting
public import HearingProcessing

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Loads a listener's preset from a server over HTTP, and from a cache when that is not possible.
///
///     let source = HTTPPresetSource(
///       url: url, cacheKey: listener.id, directory: cachesDirectory
///     ) { request in
///       request.setValue(
///         "Bearer \(try await tokens.current())", forHTTPHeaderField: "Authorization")
///     }
///     let session = try controller.activate(presetDataSource: .custom(source))
///     session.preset.reload()
///
/// The server answers with the JSON of `Preset`. The answer is cached with its `ETag` and
/// `Last-Modified`, so that an unchanged preset is not sent again. If there is no network or the
/// server fails (429, 5xx, an answer that is not a preset), the cached preset is used and
/// ``freshness`` shows since when; without a cache the load fails with ``HTTPPresetError``. After a
/// failure the server is not asked again until a delay has passed. The delay grows from 1 s to
/// 5 min. With `Retry-After` the server can request a longer one, up to ten minutes.
/// ``retryNow()`` ends the delay.
///
/// 204, 404 and 410 say that the listener has no preset: the load returns nil, and the cache is
/// emptied. 401, 403 and any other status fail the load; the cached preset is not used then.
///
/// An answer that is not a preset never replaces a cached one. A redirect is followed within the
/// same host and port only, and never from https to http.
public final class HTTPPresetSource: PresetLoading {
  /// Changes a request before it is sent, for example adds a token. The URL and the method stay.
  public typealias Prepare = @Sendable (inout URLRequest) async throws -> Void

  /// The maximum size of an answer in bytes: 1 MiB.
  public static let maximumSize = 1 << 20

  /// Where the preset comes from.
  public let url: URL

  private let options: HTTPExchange.Options
  private let cache: PresetCache
  private let scheduler: any DeadlineScheduler
  private let prepare: Prepare?
  private let retries = Lock(RetryDelay())
  /// The number of calls of `clearCache()`; the answer to a request sent before such a call is not
  /// cached.
  private let clearCount = Lock<UInt64>(0)
  private let state = CurrentValueSource(PresetFreshness.unknown)

  /// A source that has loaded nothing yet.
  ///
  /// - Parameters:
  ///   - url: The preset's address: https, or http with `allowsInsecureHTTP`.
  ///   - cacheKey: Distinguishes listeners and devices whose presets come from the same URL.
  ///   - directory: The folder of the cache; it is created when something is first cached.
  ///   - allowsInsecureHTTP: Whether http is allowed as well.
  ///   - timeout: How long one load may take, from the request to the last byte.
  ///   - scheduler: Times the time-outs and the delays after failures.
  ///   - prepare: Called before each request.
  public init(
    url: URL, cacheKey: String = "preset", directory: URL, allowsInsecureHTTP: Bool = false,
    timeout: Duration = .seconds(10), scheduler: any DeadlineScheduler = DispatchScheduler(),
    prepare: Prepare? = nil
  ) {
    precondition(timeout > .zero, "a time-out of \(timeout)")
    self.url = url
    self.scheduler = scheduler
    self.prepare = prepare
    options = HTTPExchange.Options(
      allowsInsecureHTTP: allowsInsecureHTTP, maximumSize: Self.maximumSize, timeout: timeout)
    cache = PresetCache(url: url, key: cacheKey, directory: directory)
  }

  /// How old the most recently loaded preset is.
  public var freshness: CurrentValuePublisher<PresetFreshness> { CurrentValuePublisher(state) }

  /// Removes the cached preset, for example when the listener signs out. A load that is under way
  /// caches nothing.
  ///
  /// A controller does so for `ListenerEvent.signedOut`. If the file cannot be removed,
  /// ``freshness`` says why.
  public func clearCache() {
    let failure = clearCount.withLock { count in
      count += 1
      return cache.clear()
    }
    state.send(failure.map { .none(since: Date(), cacheFailure: $0) } ?? .unknown)
  }

  /// Ends the delay after failures: the next load asks the server.
  public func retryNow() {
    retries.withLock { $0.succeeded() }
  }

  /// Loads the preset from the server, or from the cache if that fails.
  ///
  /// - Returns: The preset; nil if the server says that there is none.
  /// - Throws: ``HTTPPresetError`` if neither has one, or `CancellationError`.
  public func loadPreset() async throws -> Preset? {
    let cached = cache.read()
    do {
      return try await fetch(cached)
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as HTTPPresetError {
      return try preset(from: cached, because: error)
    } catch {
      // The app could not prepare the request.
      return try preset(from: cached, because: .notPrepared(error))
    }
  }

  private func preset(
    from cached: CachedPreset?, because error: HTTPPresetError
  ) throws(HTTPPresetError) -> Preset {
    guard let cached, error.allowsCachedPreset else { throw error }
    state.send(.cached(since: cached.confirmed, because: error))
    return cached.preset
  }

  private func fetch(_ cached: CachedPreset?) async throws -> Preset? {
    if let wait = retries.withLock({ $0.remaining(at: scheduler.now) }) {
      throw HTTPPresetError.waiting(wait)
    }
    let initialClearCount = clearCount.withLock { $0 }
    let request = try await request(cached)
    do {
      let answer = try await HTTPExchange.run(request, options, scheduler: scheduler)
      let entry = try entry(from: answer, cached)
      retries.withLock { $0.succeeded() }
      // A preset that cannot be cached is still a valid result.
      let failure = clearCount.withLock { count in
        guard count == initialClearCount else { return nil as (any Error)? }
        return entry.map { cache.write($0) } ?? cache.clear()
      }
      let now = Date()
      state.send(
        entry.map { .current(since: $0.confirmed, cacheFailure: failure) }
          ?? .none(since: now, cacheFailure: failure))
      return entry?.preset
    } catch let error as HTTPPresetError {
      if error.delaysNextLoad {
        let now = scheduler.now
        let jitter = Double.random(in: 0.5...1)
        retries.withLock { $0.failed(at: now, retryAfter: error.retryAfter, jitter: jitter) }
      }
      throw error
    }
  }

  private func request(_ cached: CachedPreset?) async throws -> URLRequest {
    guard options.allows(url) else { throw HTTPPresetError.insecureURL(url.absoluteString) }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let tag = cached?.entityTag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
    if let date = cached?.lastModified {
      request.setValue(date, forHTTPHeaderField: "If-Modified-Since")
    }
    try await prepare?(&request)
    request.url = url
    request.httpMethod = "GET"
    return request
  }

  /// The preset to cache after the answer; nil: the server has none.
  private func entry(
    from answer: HTTPExchange.Answer, _ cached: CachedPreset?
  ) throws(HTTPPresetError) -> CachedPreset? {
    switch answer.status {
    case 204, 404, 410:
      return nil
    case 304:
      guard var entry = cached else { throw .unexpectedStatus(304, retryAfter: nil) }
      entry.confirmed = Date()
      return entry
    case 200:
      guard answer.isJSON else { throw .notAPreset("its type is \(answer.type ?? "unknown")") }
      do {
        return CachedPreset(
          preset: try Preset(json: answer.body), entityTag: answer.header("ETag"),
          lastModified: answer.header("Last-Modified"), confirmed: Date())
      } catch {
        throw .notAPreset("\(error)")
      }
    default:
      throw .unexpectedStatus(answer.status, retryAfter: answer.retryAfter(at: Date()))
    }
  }
}
