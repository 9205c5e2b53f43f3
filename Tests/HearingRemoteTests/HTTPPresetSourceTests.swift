import Foundation
import HearingFitting
import HearingProcessing
import TestSupport
import XCTest

@testable import HearingRemote

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class HTTPPresetSourceTests: XCTestCase {
  private let json = ["Content-Type": "application/json"]
  private var preset: Preset!
  private var other: Preset!
  private var folder: URL!
  private let scheduler = ManualScheduler()
  private let limit = TimeLimit()

  override func setUpWithError() throws {
    limit.begin(name, seconds: 300)
    preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n2))
    other = try Fitting.techLevel(2).preset(for: HearingProfile(right: .n3))
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  override func tearDown() {
    try? FileManager.default.removeItem(at: folder)
    limit.end()
  }

  private func source(
    _ url: URL, key: String = "listener", timeout: Duration = .seconds(20),
    prepare: HTTPPresetSource.Prepare? = nil
  ) -> HTTPPresetSource {
    // Time-outs use real time. Only the delays after failures use `scheduler`, which the test
    // advances.
    HTTPPresetSource(
      url: url, cacheKey: key, directory: folder, allowsInsecureHTTP: true, timeout: timeout,
      scheduler: scheduler, prepare: prepare)
  }

  private func failure(_ source: HTTPPresetSource) async -> HTTPPresetError? {
    do {
      _ = try await source.loadPreset()
      return nil
    } catch {
      return error as? HTTPPresetError
    }
  }

  func test_load_returnsThePreset_andSetsFreshnessToCurrent() async throws {
    let body = preset.jsonData()
    let json = json
    let server = try FaultServer { _ in .answer(status: 200, headers: json, body: body) }
    defer { server.stop() }
    let source = source(try server.url()) {
      $0.setValue("Bearer x", forHTTPHeaderField: "Authorization")
    }
    let loaded = try await source.loadPreset()
    XCTAssertEqual(loaded, preset)
    guard case .current(_, nil) = source.freshness.value else {
      return XCTFail("\(source.freshness.value)")
    }
    XCTAssertEqual(server.requests.first?.headers["authorization"], "Bearer x")
    XCTAssertEqual(server.requests.first?.headers["accept"], "application/json")
  }

  func test_secondLoad_sendsTheEntityTagAndDate_andA304ReturnsTheCachedPreset() async throws {
    let body = preset.jsonData()
    let server = try FaultServer { request in
      if request.headers["if-none-match"] == "\"one\"" {
        return .answer(status: 304, headers: [:], body: Data())
      }
      return .answer(
        status: 200,
        headers: [
          "Content-Type": "application/json", "ETag": "\"one\"",
          "Last-Modified": "Sun, 22 Nov 2020 12:00:00 GMT",
        ], body: body)
    }
    defer { server.stop() }
    _ = try await source(try server.url()).loadPreset()
    let again = source(try server.url())
    let loaded = try await again.loadPreset()
    XCTAssertEqual(loaded, preset)
    XCTAssertEqual(server.requests.count, 2)
    XCTAssertNil(server.requests.first?.headers["if-none-match"])
    XCTAssertNil(server.requests.first?.headers["if-modified-since"])
    XCTAssertEqual(server.requests.last?.headers["if-none-match"], "\"one\"")
    XCTAssertEqual(
      server.requests.last?.headers["if-modified-since"], "Sun, 22 Nov 2020 12:00:00 GMT")
    guard case .current = again.freshness.value else { return XCTFail("304 confirms") }
  }

  func test_load_withAnUnreadableCache_sendsNoEntityTag() async throws {
    let body = preset.jsonData()
    let server = try FaultServer { _ in
      .answer(
        status: 200, headers: ["Content-Type": "application/json", "ETag": "\"one\""], body: body)
    }
    defer { server.stop() }
    let source = source(try server.url())
    _ = try await source.loadPreset()
    let cache = PresetCache(url: try server.url(), key: "listener", directory: folder)
    try Data("{".utf8).write(to: cache.file)
    _ = try await source.loadPreset()
    XCTAssertNil(server.requests.last?.headers["if-none-match"])
  }

  func test_load_offline_returnsTheCachedPreset_orFailsWithoutACache() async throws {
    let body = preset.jsonData()
    let json = json
    let server = try FaultServer { _ in .answer(status: 200, headers: json, body: body) }
    let source = source(try server.url())
    _ = try await source.loadPreset()
    server.stop()
    let offline = self.source(try server.url())
    let loaded = try await offline.loadPreset()
    XCTAssertEqual(loaded, preset)
    guard case .cached(let since, .notConnected) = offline.freshness.value else {
      return XCTFail("\(offline.freshness.value)")
    }
    XCTAssertEqual(since.timeIntervalSinceNow, 0, accuracy: 300)
    XCTAssertNotNil(offline.freshness.value.age())
    guard case .notConnected? = await failure(self.source(try server.url(), key: "other")) else {
      return XCTFail("another key has no cache")
    }
    guard case .notConnected? = await failure(self.source(try server.url("/other"))) else {
      return XCTFail("another URL has no cache")
    }
  }

  func test_load_offline_usesTheCachedPreset_onlyIfItsCacheHeadersAllowIt() async throws {
    let body = preset.jsonData()
    let cases: [(headers: [String: String], isUsed: Bool)] = [
      ([:], true),
      (["Cache-Control": "max-age=0"], true),
      (["Cache-Control": "private=\"a, no-store\""], true),
      (["Cache-Control": "no-cache=\"Set-Cookie\""], true),
      (["Cache-Control": "max-age=60, Must-Revalidate"], true),
      (["Vary": "Authorization, Accept"], true),
      (["Cache-Control": "must-revalidate, max-age=\(String(repeating: "9", count: 400))"], true),
      (["Cache-Control": "must-revalidate, max-age=\"60\""], true),
      (["Cache-Control": "must-revalidate, max-age=60, max-age=0", "Age": "-1000"], true),
      (["Cache-Control": "x=\"a\\\", no-store\""], true),
      (
        [
          "Cache-Control": "must-revalidate", "Date": "Thu, 26 Nov 2026 10:00:00 GMT",
          "Expires": "Fri, 27 Nov 2026 10:00:00 GMT",
        ], true
      ),
      (["Cache-Control": "x=\"\\\"\", no-store"], false),
      (["Cache-Control": "no-cache, no-cache=\"Set-Cookie\""], false),
      (["Cache-Control": "max-age=0, max-age=600, must-revalidate"], false),
      (["Cache-Control": "must-revalidate, max-age=-1"], false),
      (["Cache-Control": "max-age=60, must-revalidate", "Age": "60"], false),
      (["Cache-Control": "must-revalidate"], false),
      (["Cache-Control": "private , No-Cache"], false),
      (["Cache-Control": "no-store"], false),
      (["Cache-Control": "max-age=60,NO-STORE"], false),
      (["Vary": "*"], false),
      (["Vary": "Accept, *"], false),
    ]
    for (index, (headers, isUsed)) in cases.enumerated() {
      let headers = headers.merging(json) { first, _ in first }
      let server = try FaultServer { _ in .answer(status: 200, headers: headers, body: body) }
      let source = source(try server.url(), key: "\(index)")
      _ = try await source.loadPreset()
      server.stop()
      do {
        let loaded = try await source.loadPreset()
        XCTAssertTrue(isUsed, "\(headers): the cached preset is used")
        XCTAssertEqual(loaded, preset)
      } catch HTTPPresetError.notConnected {
        XCTAssertFalse(isUsed, "\(headers): the cached preset is not used")
      }
    }
  }

  func test_status304_updatesTheCachedHeaders_andANoStoreResponseIsNotCached() async throws {
    let body = preset.jsonData()
    let newer = other.jsonData()
    let answers = Holder<FaultServer.Answer>()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    let source = source(try server.url())
    let tag = ["Content-Type": "application/json", "ETag": "\"one\""]
    answers.value = .answer(
      status: 200, headers: tag.merging(["Cache-Control": "no-cache"]) { $1 }, body: body)
    _ = try await source.loadPreset()
    answers.value = .closed
    guard case .notConnected? = await failure(source) else { return XCTFail("it is confirmed") }
    source.retryNow()
    answers.value = .answer(
      status: 304, headers: ["Cache-Control": "private", "ETag": "\"two\""], body: Data())
    let confirmed = try await source.loadPreset()
    XCTAssertEqual(confirmed, preset)
    XCTAssertEqual(server.requests.last?.headers["if-none-match"], "\"one\"")
    answers.value = .answer(
      status: 200, headers: json.merging(["Cache-Control": "no-store"]) { $1 }, body: newer)
    let loaded = try await source.loadPreset()
    XCTAssertEqual(loaded, other)
    answers.value = .closed
    let offline = try await source.loadPreset()
    XCTAssertEqual(offline, preset)
    source.retryNow()
    _ = try? await source.loadPreset()
    XCTAssertEqual(server.requests.last?.headers["if-none-match"], "\"two\"")
  }

  func test_cachedPreset_isUsableUntilMaxAge_andA304RestartsTheLifetime() throws {
    let start = Date(timeIntervalSince1970: 1_000_000)
    var entry = CachedPreset(
      preset: preset, entityTag: nil, lastModified: nil, confirmed: start,
      headers: ["cache-control": "must-revalidate, max-age=60", "age": "50"])
    XCTAssertTrue(entry.isUsable(at: start + 9))
    XCTAssertFalse(entry.isUsable(at: start + 10))
    XCTAssertFalse(entry.isUsable(at: start - 1), "the clock was set back")
    entry.update(with: .init(status: 304, headers: [:], body: Data()), at: start + 100)
    XCTAssertTrue(entry.isUsable(at: start + 159))
    XCTAssertFalse(entry.isUsable(at: start + 160))
  }

  func test_load_thatFailsAfterClearCache_returnsNoPreset() async throws {
    let body = preset.jsonData()
    let json = json
    let answers = Holder<FaultServer.Answer>(.answer(status: 200, headers: json, body: body))
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    let isClearing = Holder(false)
    let cleared = Holder<HTTPPresetSource>()
    let source = source(try server.url()) { _ in
      if isClearing.value == true { cleared.value?.clearCache() }
    }
    _ = try await source.loadPreset()
    cleared.value = source
    isClearing.value = true
    answers.value = .closed
    guard case .notConnected? = await failure(source) else {
      return XCTFail("the listener has signed out")
    }
    cleared.value = nil
  }

  /// A server that sends `answer` to the first request and `other` to later requests. The answer to
  /// the first request waits until `isLaterDone` is signalled.
  private func server(
    firstAnswer answer: FaultServer.Answer, after isLaterDone: DispatchSemaphore
  ) throws -> FaultServer {
    let (body, json) = (other.jsonData(), json)
    let isFirst = Holder(true)
    return try FaultServer { _ in
      guard isFirst.value == true else { return .answer(status: 200, headers: json, body: body) }
      isFirst.value = false
      XCTAssertEqual(isLaterDone.wait(timeout: .now() + 20), .success)
      return answer
    }
  }

  private func firstRequest(to server: FaultServer) async throws {
    for _ in 0..<2_000 where server.requests.isEmpty {
      try await Task.sleep(for: .milliseconds(10))
    }
    XCTAssertEqual(server.requests.count, 1)
  }

  func test_answerToAnEarlierLoad_doesNotReplaceTheAnswerToALaterLoad() async throws {
    let isLaterDone = DispatchSemaphore(value: 0)
    let server = try server(
      firstAnswer: .answer(status: 200, headers: json, body: preset.jsonData()),
      after: isLaterDone)
    let source = source(try server.url())
    let earlier = Task { try await source.loadPreset() }
    try await firstRequest(to: server)
    let later = try await source.loadPreset()
    XCTAssertEqual(later, other)
    let confirmed = source.freshness.value.confirmed
    isLaterDone.signal()
    let first = try await earlier.value
    XCTAssertEqual(first, preset)
    XCTAssertEqual(source.freshness.value.confirmed, confirmed)
    server.stop()
    let offline = try await source.loadPreset()
    XCTAssertEqual(offline, other)
  }

  func test_failureOfAnEarlierLoad_returnsThePresetOfALaterLoad_andKeepsItsFreshness() async throws
  {
    let isLaterDone = DispatchSemaphore(value: 0)
    let server = try server(firstAnswer: .closed, after: isLaterDone)
    defer { server.stop() }
    let source = source(try server.url())
    let earlier = Task { try await source.loadPreset() }
    try await firstRequest(to: server)
    _ = try await source.loadPreset()
    isLaterDone.signal()
    let first = try await earlier.value
    XCTAssertEqual(first, other)
    guard case .current = source.freshness.value else {
      return XCTFail("\(source.freshness.value)")
    }
    // The load that failed late starts no delay. Therefore the next load sends a request
    // immediately.
    _ = try await source.loadPreset()
    XCTAssertEqual(server.requests.count, 3)
  }

  func test_longKeys_areCachedSeparately() async throws {
    let keys =
      [String(repeating: "ü", count: 45), String(repeating: "用", count: 100)]
      + ["a", "b"].map { String(repeating: "k", count: 300) + $0 }
      + [217, 218, 219].map { String(repeating: "k", count: $0) }
    let bodies = [preset.jsonData(), other.jsonData()]
    let number = Holder(0)
    let json = json
    let server = try FaultServer { _ in
      .answer(status: 200, headers: json, body: bodies[(number.value ?? 0) % 2])
    }
    for (index, key) in keys.enumerated() {
      number.value = index
      _ = try await source(try server.url(), key: key).loadPreset()
    }
    server.stop()
    for (index, key) in keys.enumerated() {
      let loaded = try await source(try server.url(), key: key).loadPreset()
      XCTAssertEqual(loaded, index % 2 == 0 ? preset : other, key)
    }
  }

  func test_shortKeys_areTheBeginningOfTheirFileNames() throws {
    let url = try XCTUnwrap(URL(string: "https://example.org/preset"))
    let names = ["Anna 1", String(repeating: "k", count: 218)].map {
      PresetCache(url: url, key: $0, directory: folder).file.lastPathComponent
    }
    XCTAssertTrue(names[0].hasPrefix("Anna%201-"), names[0])
    XCTAssertTrue(names[1].hasPrefix(String(repeating: "k", count: 218) + "-"))
    XCTAssertEqual(names.map(\.utf8.count), [45, 255])
  }

  func test_twoURLs_withOneKey_haveSeparateCachedPresets() async throws {
    let (first, second) = (preset.jsonData(), other.jsonData())
    let json = json
    let server = try FaultServer { request in
      .answer(status: 200, headers: json, body: request.path == "/second" ? second : first)
    }
    let urls = [try server.url("/first"), try server.url("/second")]
    for url in urls { _ = try await source(url).loadPreset() }
    server.stop()
    var loaded: [Preset?] = []
    for url in urls { loaded.append(try await source(url).loadPreset()) }
    XCTAssertEqual(loaded, [preset, other])
  }

  func test_redirectWithoutLocation_failsWithItsStatus() async throws {
    for status in [301, 303, 308] {
      let server = try FaultServer { _ in .answer(status: status, headers: [:], body: Data()) }
      defer { server.stop() }
      guard case .unexpectedStatus(status, _)? = await failure(source(try server.url())) else {
        XCTFail("\(status)")
        continue
      }
    }
  }

  func test_cacheRead_takesLessThan5Milliseconds() throws {
    let cache = PresetCache(
      url: try XCTUnwrap(URL(string: "https://example.org/preset")), key: "a", directory: folder)
    XCTAssertNil(
      cache.write(
        CachedPreset(preset: preset, entityTag: nil, lastModified: nil, confirmed: Date())))
    let clock = ContinuousClock()
    let best = (0..<20).map { _ in clock.measure { XCTAssertNotNil(cache.read()) } }.min()
    print("reading the cache: \(best.map { "\($0)" } ?? "")")
    XCTAssertLessThan(try XCTUnwrap(best), .milliseconds(5))
  }

  func test_load_afterAFailure_sendsNoRequestUntilTheRetryDelayEnds() async throws {
    let json = json
    let body = preset.jsonData()
    let isIll = Holder(true)
    let server = try FaultServer { _ in
      isIll.value == true
        ? .answer(status: 503, headers: ["Retry-After": "120"], body: Data())
        : .answer(status: 200, headers: json, body: body)
    }
    defer { server.stop() }
    let source = source(try server.url())
    guard case .unexpectedStatus(503, 120)? = await failure(source) else {
      return XCTFail("the server is ill")
    }
    isIll.value = false
    scheduler.advance(by: .seconds(119))
    guard case .waiting(.seconds(1))? = await failure(source) else {
      return XCTFail("the server is not asked")
    }
    XCTAssertEqual(server.requests.count, 1)
    scheduler.advance(by: .seconds(1))
    let loaded = try await source.loadPreset()
    XCTAssertEqual(loaded, preset)
  }

  func test_invalidResponse_doesNotReplaceTheCachedPreset() async throws {
    let answers = Holder<FaultServer.Answer>()
    let body = preset.jsonData()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    answers.value = .answer(status: 200, headers: json, body: body)
    _ = try await source(try server.url()).loadPreset()
    let bad: [FaultServer.Answer] = [
      .answer(status: 200, headers: json, body: Data("{}".utf8)),
      .answer(status: 200, headers: json, body: Preset(left: nil, right: nil).jsonData()),
      .answer(status: 200, headers: ["Content-Type": "text/html"], body: body),
      .answer(status: 200, headers: json, body: body.prefix(body.count / 2)),
      .answer(status: 503, headers: json, body: body),
      .answer(status: 429, headers: json, body: body),
      .wrongLength(body.count + 10, body: body),
      .unsized(headers: json, body: body.dropLast(3)),
      .closed, .garbage(Data("HTTP nonsense\r\n\r\n".utf8)), .endless(seconds: 5, pause: 0.000_1),
    ]
    for answer in bad {
      answers.value = answer
      let source = source(try server.url())
      let loaded = try await source.loadPreset()
      XCTAssertEqual(loaded, preset, "\(answer)")
      guard case .cached = source.freshness.value else {
        XCTFail("\(answer): \(source.freshness.value)")
        continue
      }
    }
  }

  func test_load_withStatus204_404_or410_returnsNil_andEmptiesTheCache() async throws {
    let answers = Holder<FaultServer.Answer>()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    for status in [204, 404, 410] {
      answers.value = .answer(status: 200, headers: json, body: preset.jsonData())
      let source = source(try server.url())
      _ = try await source.loadPreset()
      answers.value = .answer(status: status, headers: [:], body: Data())
      let loaded = try await source.loadPreset()
      XCTAssertNil(loaded, "\(status)")
      guard case .none(_, nil) = source.freshness.value else {
        return XCTFail("\(status): \(source.freshness.value)")
      }
      answers.value = .closed
      let failure = await failure(source)
      guard case .notConnected? = failure else {
        return XCTFail("\(status): the former preset is still cached")
      }
    }
  }

  func test_load_withAClientError_returnsNoCachedPreset_andCanBeRetriedImmediately() async throws {
    let answers = Holder<FaultServer.Answer>()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    let good = FaultServer.Answer.answer(status: 200, headers: json, body: preset.jsonData())
    let source = source(try server.url())
    for status in [401, 403, 400, 451] {
      answers.value = good
      _ = try await source.loadPreset()
      answers.value = .answer(status: status, headers: [:], body: Data())
      guard case .unexpectedStatus(status, nil)? = await failure(source) else {
        return XCTFail("\(status) serves a preset")
      }
      answers.value = good
      let loaded = try await source.loadPreset()
      XCTAssertEqual(loaded, preset, "a fresh token helps at once")
    }
  }

  func test_clearCache_removesThePreset_andRetryNowEndsTheRetryDelay() async throws {
    let answers = Holder<FaultServer.Answer>()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    let good = FaultServer.Answer.answer(status: 200, headers: json, body: preset.jsonData())
    let source = source(try server.url())
    answers.value = good
    _ = try await source.loadPreset()
    answers.value = .closed
    let cached = try await source.loadPreset()
    XCTAssertEqual(cached, preset)
    source.clearCache()
    guard case .waiting? = await failure(source) else { return XCTFail("it serves a preset") }
    answers.value = good
    source.retryNow()
    let loaded = try await source.loadPreset()
    XCTAssertEqual(loaded, preset)
  }

  func test_load_thatEndsAfterClearCache_doesNotChangeTheFreshness() async throws {
    let (body, json) = (preset.jsonData(), json)
    let cleared = Holder<HTTPPresetSource>()
    let server = try FaultServer { _ in
      cleared.value?.clearCache()
      return .answer(status: 200, headers: json, body: body)
    }
    defer { server.stop() }
    let source = source(try server.url())
    _ = try await source.loadPreset()
    guard case .current = source.freshness.value else { return XCTFail("it was loaded") }
    cleared.value = source
    _ = try await source.loadPreset()
    cleared.value = nil
    guard case .unknown = source.freshness.value else {
      return XCTFail("\(source.freshness.value)")
    }
  }

  func test_report_ofSignedOut_removesThePresetAndItsCache() async throws {
    let answers = Holder<FaultServer.Answer>()
    let server = try FaultServer { _ in answers.value ?? .closed }
    defer { server.stop() }
    answers.value = .answer(status: 200, headers: json, body: preset.jsonData())
    let source = source(try server.url())
    let controller = ProcessingController(scheduler: ManualScheduler())
    let session = try controller.activate(presetDataSource: .custom(source))
    _ = try await session.preset.reload().get()
    XCTAssertEqual(session.preset.value, preset)
    session.isEnabled.apply(true)
    _ = try await controller.report(.signedOut).get()
    XCTAssertNil(session.preset.value)
    XCTAssertFalse(session.isEnabled.value)
    answers.value = .closed
    guard case .notConnected? = await failure(source) else {
      return XCTFail("the preset of the former listener is served")
    }
  }

  func test_load_ofAnEndlessResponse_failsAtTheSizeLimit() async throws {
    let server = try FaultServer { _ in .endless(seconds: 5, pause: 0.000_1) }
    defer { server.stop() }
    guard case .tooLarge(limit: 1_048_576)? = await failure(source(try server.url())) else {
      return XCTFail("1 MiB is the limit")
    }
  }

  func test_load_fromAServerThatNeverResponds_timesOut() async throws {
    let server = try FaultServer { _ in .silent(2) }
    defer { server.stop() }
    let source = HTTPPresetSource(
      url: try server.url(), directory: folder, allowsInsecureHTTP: true,
      timeout: .milliseconds(100))
    guard case .timedOut? = await failure(source) else { return XCTFail("it times out") }
  }

  func test_redirects_areFollowedOnlyToTheSameHost() async throws {
    let json = json
    let body = preset.jsonData()
    let elsewhere = try FaultServer { _ in .answer(status: 200, headers: json, body: body) }
    let target = try elsewhere.url().absoluteString
    let server = try FaultServer { request in
      switch request.path {
      case "/same": .answer(status: 302, headers: ["Location": "/preset"], body: Data())
      case "/other": .answer(status: 302, headers: ["Location": target], body: Data())
      case "/loop": .answer(status: 302, headers: ["Location": "/loop"], body: Data())
      default: .answer(status: 200, headers: json, body: body)
      }
    }
    defer {
      server.stop()
      elsewhere.stop()
    }
    let loaded = try await source(try server.url("/same")).loadPreset()
    XCTAssertEqual(loaded, preset)
    guard case .redirectRefused(target)? = await failure(source(try server.url("/other"))) else {
      return XCTFail("another port is another host")
    }
    XCTAssertEqual(elsewhere.requests.count, 0)
    let loop = await failure(source(try server.url("/loop")))
    XCTAssertNotNil(loop)
  }

  func test_redirects_withAndWithoutTheDefaultPort_areFollowed() throws {
    let options = HTTPExchange.Options(
      allowsInsecureHTTP: true, maximumSize: 1, timeout: .seconds(1))
    let cases = [
      ("https://h/", "https://h:443/", true), ("https://h:443/", "https://H/", true),
      ("http://h:80/", "http://h/", true), ("http://h:80/", "https://h/", true),
      ("https://h/", "https://h:80/", false), ("http://h/", "http://h:443/", false),
      ("https://h/", "http://h/", false), ("https://h/", "https://i/", false),
    ]
    for (origin, target, isFollowed) in cases {
      let (from, to) = (try XCTUnwrap(URL(string: origin)), try XCTUnwrap(URL(string: target)))
      XCTAssertEqual(options.follows(to, from: from), isFollowed, "\(origin) to \(target)")
    }
  }

  func test_httpURL_isRejectedUnlessAllowed() async throws {
    let server = try FaultServer { _ in .closed }
    defer { server.stop() }
    let source = HTTPPresetSource(
      url: try server.url(), directory: folder, scheduler: scheduler)
    guard case .insecureURL? = await failure(source) else { return XCTFail("http is refused") }
    XCTAssertEqual(server.requests.count, 0)
  }

  func test_load_inACancelledTask_throwsCancellationError() async throws {
    let server = try FaultServer { _ in .silent(20) }
    defer { server.stop() }
    let source = source(try server.url())
    let task = Task { try await source.loadPreset() }
    while server.requests.isEmpty { await Task.yield() }
    task.cancel()
    do {
      _ = try await task.value
      XCTFail("a cancelled load has no result")
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
  }

  func test_session_withAnHTTPPresetSource_reloadsItsPreset() async throws {
    let json = json
    let body = preset.jsonData()
    let server = try FaultServer { _ in .answer(status: 200, headers: json, body: body) }
    defer { server.stop() }
    let session = try ProcessingController().activate(
      presetDataSource: .custom(source(try server.url())))
    let loaded = try await session.preset.reload().get()
    XCTAssertEqual(loaded, preset)
  }

  /// On Linux, all URL sessions use one common queue. While a server sends data without a pause,
  /// this queue is busy.
  func test_load_whileOtherResponsesAreEndless_endsWithinASecond() async throws {
    let server = try FaultServer { _ in .endless(seconds: 3, pause: 0) }
    let body = preset.jsonData()
    let json = json
    let other = try FaultServer { _ in .answer(status: 200, headers: json, body: body) }
    defer {
      server.stop()
      other.stop()
    }
    let sources = try (0..<4).map { source(try server.url(), key: "\($0)") }
    let endless = sources.map { source in
      Task { () -> HTTPPresetError? in
        do {
          _ = try await source.loadPreset()
          return nil
        } catch {
          return error as? HTTPPresetError
        }
      }
    }
    while server.requests.isEmpty { await Task.yield() }
    for number in 0..<10 {
      let load = HTTPPresetSource(
        url: try other.url(), cacheKey: "beside \(number)", directory: folder,
        allowsInsecureHTTP: true, timeout: .milliseconds(50))
      let begin = ContinuousClock.now
      do {
        let loaded = try await load.loadPreset()
        XCTAssertEqual(loaded, preset)
      } catch HTTPPresetError.timedOut {
      }
      XCTAssertLessThan(begin.duration(to: .now), .seconds(1))
    }
    for task in endless {
      let error = await task.value
      guard case .tooLarge? = error else {
        return XCTFail("1 MiB is the limit; got \(String(describing: error))")
      }
    }
  }
}

/// Limits the time of a test. If the test exceeds the limit, prints the name of the test and ends
/// the process.
final class TimeLimit: Sendable {
  private let isDone = DispatchSemaphore(value: 0)

  func begin(_ name: String, seconds: Double) {
    Thread.detachNewThread { [isDone] in
      if isDone.wait(timeout: .now() + seconds) == .timedOut {
        fatalError("\(name) has not ended within \(seconds) s")
      }
    }
  }

  func end() {
    isDone.signal()
  }
}
