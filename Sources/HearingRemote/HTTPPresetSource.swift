public import Foundation
public import HearingFitting
public import HearingProcessing

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Loads a listener's preset from a server over HTTP. If the server or the network fails, the
/// source loads the preset from a cache.
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
/// The server answers with the JSON of `Preset`. The answer is cached with the fields `ETag` and
/// `Last-Modified`, so that the server need not send an unchanged preset again. If there is no
/// network, or if the server fails, the cached preset is used, and ``freshness`` contains the age
/// of this preset. The HTTP statuses 429 and 5xx count as failures of the server. An answer that is
/// not a preset also counts as a failure of the server. If there is no cached preset, the load
/// fails with ``HTTPPresetError``.
///
/// The source obeys the field `Cache-Control` of the server. An answer with `no-store` is not
/// cached. A preset from an earlier answer remains in the cache. If a cached preset was sent with
/// `no-cache` or `Vary: *`, each use of this preset needs a confirmation by the server. If a cached
/// preset was sent with `must-revalidate`, the preset needs no confirmation during its lifetime.
/// The lifetime is given by `max-age` or `Expires`.
///
/// After a failure, the source sends no request until a delay has passed. After the first failure,
/// the delay is 0.5 to 1 second. The delay grows with each further failure in a row, up to five
/// minutes. The server can request a longer delay with `Retry-After`, up to ten minutes.
/// ``retryNow()`` ends the delay.
///
/// The HTTP statuses 204, 404 and 410 mean that the listener has no preset. After the status 204,
/// 404 or 410, the load returns nil, and the cached preset is removed. After any error status other
/// than 404, 410, 429 and 5xx, the load fails, and the cached preset is not used. Examples are the
/// statuses 401 and 403.
///
/// An answer that is not a preset never replaces a cached preset. A redirect is followed only to
/// the same host and port, or from http to https on the same host. A redirect from https to http is
/// never followed.
public final class HTTPPresetSource: PresetLoading {
  /// A closure that changes a request before the request is sent, for example to add a token. The
  /// closure cannot change the URL or the HTTP method.
  public typealias Prepare = @Sendable (inout URLRequest) async throws -> Void

  /// The maximum size of an answer in bytes: 1 MiB.
  public static let maximumSize = 1 << 20

  /// The URL of the preset on the server.
  public let url: URL

  private let options: HTTPExchange.Options
  private let cache: PresetCache
  private let scheduler: any DeadlineScheduler
  private let prepare: Prepare?
  private let retries = Lock(RetryDelay())
  private let order = Lock(LoadOrder())
  private let state = CurrentValueSource(PresetFreshness.unknown)

  /// Creates a source. The source sends no request before the first load.
  ///
  /// - Parameters:
  ///   - url: The address of the preset. The scheme must be https. The scheme http is allowed only
  ///     if `allowsInsecureHTTP` is true.
  ///   - cacheKey: A text that identifies the listener or the device. Listeners or devices that
  ///     load presets from the same URL need different keys.
  ///   - directory: The folder of the cache. The folder is created when the first preset is cached.
  ///   - allowsInsecureHTTP: Whether http is allowed in addition to https.
  ///   - timeout: The maximum time from the sending of a request to the last byte of the answer.
  ///   - scheduler: The clock for time-outs and for delays after failures.
  ///   - prepare: Changes each request before the request is sent.
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

  /// The origin (server or cache) and the age of the last loaded preset.
  public var freshness: CurrentValuePublisher<PresetFreshness> { CurrentValuePublisher(state) }

  /// Numbers the loads and the calls of `clearCache()` in the order in which they began. The answer
  /// to an earlier load never replaces the answer to a later load.
  private struct LoadOrder: Sendable {
    /// The number of the latest load or call of `clearCache()`.
    var latest: UInt64 = 0
    /// The number of the latest call of `clearCache()`.
    var cleared: UInt64 = 0
    /// The number of the latest load that has succeeded. If `clearCache()` was called after this
    /// load began, `adopted` is the number of the call of `clearCache()`.
    var adopted: UInt64 = 0

    mutating func next() -> UInt64 {
      latest += 1
      return latest
    }
  }

  /// Removes the cached preset, for example when the listener signs out. The result of a load that
  /// is in progress is not cached, and does not change ``freshness``.
  ///
  /// A `ProcessingController` calls this method when the app reports `ListenerEvent.signedOut`. If
  /// the cached preset cannot be removed, ``freshness`` contains the error.
  public func clearCache() {
    let publication = order.withLock { order in
      order.cleared = order.next()
      order.adopted = order.cleared
      return state.enqueue(
        cache.clear().map { .none(since: Date(), cacheFailure: $0) } ?? .unknown)
    }
    publication()
  }

  /// Ends the delay after a failure. The next load sends a request to the server immediately.
  public func retryNow() {
    retries.withLock { $0.succeeded() }
  }

  /// Loads the preset from the server. If the server fails, returns the cached preset.
  ///
  /// Several loads may run at the same time. The answer to an earlier load does not replace the
  /// cached preset or the ``freshness`` of a later load.
  ///
  /// - Returns: The preset, or nil if the server answers that the listener has no preset.
  /// - Throws: ``HTTPPresetError`` if the load from the server fails, and the cache contains no
  ///   usable preset. `CancellationError` if the task is cancelled.
  public func loadPreset() async throws -> Preset? {
    let number = order.withLock { $0.next() }
    let cached = cache.read()
    do {
      return try await fetch(cached, number)
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as HTTPPresetError {
      return try fallback(for: number, because: error)
    } catch {
      // The app's closure that prepares the request has thrown an error.
      return try fallback(for: number, because: .notPrepared(error))
    }
  }

  /// Returns the cached preset after the failure of a load. Throws `error` if no cached preset may
  /// be used.
  private func fallback(
    for number: UInt64, because error: HTTPPresetError
  ) throws(HTTPPresetError) -> Preset {
    let (cached, publication) = order.withLock { order in
      // The cache is read again after the failure, because a later load may have replaced the
      // cached preset.
      guard error.allowsCachedPreset, order.cleared < number, let cached = cache.read(),
        cached.isUsable(at: Date())
      else { return (nil as CachedPreset?, nil as (@Sendable () -> Void)?) }
      return (
        cached,
        order.adopted < number
          ? state.enqueue(.cached(since: cached.confirmed, because: error)) : nil
      )
    }
    guard let cached else { throw error }
    publication?()
    return cached.preset
  }

  private func fetch(
    _ cached: CachedPreset?, _ number: UInt64
  ) async throws -> Preset? {
    if let wait = retries.withLock({ $0.remaining(at: scheduler.now) }) {
      throw HTTPPresetError.waiting(wait)
    }
    let request = try await request(cached)
    do {
      let answer = try await HTTPExchange.run(request, options, scheduler: scheduler)
      let entry = try entry(from: answer, cached)
      // The load succeeds even if the preset cannot be cached.
      let publication = order.withLock { order in
        guard order.adopted < number else { return nil as (@Sendable () -> Void)? }
        order.adopted = number
        retries.withLock { $0.succeeded() }
        guard let entry else {
          return state.enqueue(.none(since: Date(), cacheFailure: cache.clear()))
        }
        let isStored = CacheControl(answer.headers).allowsStorage
        let failure = isStored ? cache.write(entry) : nil
        return state.enqueue(.current(since: entry.confirmed, cacheFailure: failure))
      }
      publication?()
      return entry?.preset
    } catch let error as HTTPPresetError {
      if error.delaysNextLoad {
        let now = scheduler.now
        let jitter = Double.random(in: 0.5...1)
        order.withLock { order in
          // The failure of an earlier load does not count after the success of a later load.
          guard order.adopted < number else { return }
          retries.withLock { $0.failed(at: now, retryAfter: error.retryAfter, jitter: jitter) }
        }
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

  /// Returns the preset of an answer as a `CachedPreset`. Returns nil if the answer means that the
  /// listener has no preset.
  private func entry(
    from answer: HTTPExchange.Answer, _ cached: CachedPreset?
  ) throws(HTTPPresetError) -> CachedPreset? {
    switch answer.status {
    case 204, 404, 410:
      return nil
    case 304:
      guard var entry = cached else { throw .unexpectedStatus(304, retryAfter: nil) }
      entry.update(with: answer, at: Date())
      return entry
    case 200:
      guard answer.isJSON else { throw .notAPreset("its type is \(answer.type ?? "unknown")") }
      let preset: Preset
      do {
        preset = try Preset(json: answer.body)
      } catch {
        throw .notAPreset("\(error)")
      }
      guard preset.left != nil || preset.right != nil else {
        throw .notAPreset("it has neither a left nor a right ear")
      }
      return CachedPreset(
        preset: preset, entityTag: answer.header("ETag"),
        lastModified: answer.header("Last-Modified"), confirmed: Date(),
        headers: answer.cachingHeaders)
    default:
      throw .unexpectedStatus(answer.status, retryAfter: answer.retryAfter(at: Date()))
    }
  }
}
