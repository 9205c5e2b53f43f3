import Foundation
import HearingAudio
import HearingFitting
import HearingProcessing
import TestSupport
import XCTest

@testable import HearingPieces

final class PieceDropTests: XCTestCase {
  private let wav = PieceWorld.wav()

  private struct Refusal: Error {}

  /// A renderer that delivers all parts of a piece.
  private func renderer(
    _ asked: Recorder<String>, ended: Recorder<Result<PieceIdentifier, DropError>>
  ) throws -> PieceRenderer {
    let cover = try PieceWorld.cover("baseline.jpg")
    let (wav, preview) = (wav, PieceWorld.wav(frameCount: 100))
    let type = try MediaType("Text/Plain")
    var renderer = PieceRenderer {
      asked.record("mix stem")
      return .data(wav)
    }
    renderer.preview = .rendered {
      asked.record("preview")
      return .data(preview)
    }
    renderer.coverImage = {
      asked.record("cover image")
      return .data(cover)
    }
    renderer.attachment = {
      asked.record("attachment")
      return PieceAttachment(.data(Data("notes".utf8)), type: type)
    }
    renderer.dropEnded = { ended.record($0.map(\.identifier)) }
    return renderer
  }

  func test_drop_withAllParts_storesThemInTheLibrary() async throws {
    let world = try PieceWorld()
    let asked = Recorder<String>()
    let ended = Recorder<Result<PieceIdentifier, DropError>>()
    let start = Date()
    let piece = try await world.drop(renderer(asked, ended: ended))
    XCTAssertEqual(asked.events, ["mix stem", "preview", "cover image", "attachment"])
    XCTAssertEqual(ended.events, [.success(piece.identifier)])
    let again = try await world.exchange.piece(piece.identifier)
    XCTAssertEqual(again.record, piece.record)
    XCTAssertEqual(again.metadata, try PieceWorld.metadata())
    XCTAssertEqual(again.record.applicationIdentifier, "test-app")
    XCTAssertGreaterThan(again.record.droppedAt, start.addingTimeInterval(-0.001))
    XCTAssertEqual(again.record.coverFormat, .jpeg)
    XCTAssertEqual(again.record.attachmentType?.text, "text/plain")
    let files = [
      try await again.mixStem(), try await again.preview(), try await again.coverImage(),
      try await again.attachment(),
    ]
    let contents = try files.map { try Data(contentsOf: XCTUnwrap($0)) }
    XCTAssertEqual(
      contents,
      [
        wav, PieceWorld.wav(frameCount: 100), try PieceWorld.cover("baseline.jpg"),
        Data("notes".utf8),
      ])
    XCTAssertEqual(try world.names(), [piece.identifier.text])
  }

  func test_drop_whoseFileIsDeletedDuringTheDrop_failsWithNotFound() async throws {
    let world = try PieceWorld()
    let (wav, folder) = (wav, world.scratch.url.appendingPathComponent("pieces"))
    var renderer = PieceRenderer { .data(wav) }
    renderer.attachment = {
      // When this closure runs, the mix stem has already been copied.
      for subfolder in try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      {
        try FileManager.default.removeItem(at: subfolder.appendingPathComponent("mix-stem.wav"))
      }
      return nil
    }
    guard case .library(.file(.notFound(let path)))? = try await world.failure(renderer) else {
      return XCTFail("a part is missing")
    }
    XCTAssertTrue(path.hasSuffix("/mix-stem.wav"), path)
  }

  func test_apiKey_isNotInAnyStoredFile() async throws {
    let scratch = try ScratchFolder()
    let exchange = PieceExchange(
      configuration: try PieceConfiguration(applicationIdentifier: "a", apiKey: "SECRET"),
      library: FolderPieceLibrary(folder: scratch.url))
    let piece = try await exchange.drop(
      PieceWorld.metadata(), renderer: renderer(Recorder(), ended: Recorder())
    ).result.get()
    let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
      .filter { $0.contains("/") }
    XCTAssertEqual(files.count, 5, "\(files)")
    for file in files {
      XCTAssertTrue(file.hasPrefix("\(piece.identifier)/"), file)
      XCTAssertNil(try scratch.data(file).range(of: Data("SECRET".utf8)), file)
    }
  }

  /// This test is synchronous. Its thread only waits, so the drop cannot run on this thread.
  func test_renderer_isNeverCalledOnTheThreadThatCallsDrop() throws {
    let world = try PieceWorld()
    let threads = Recorder<UInt>()
    let note: @Sendable () -> Void = { threads.record(UInt(pthread_self())) }
    let (wav, cover) = (wav, try PieceWorld.cover("gray.png"))
    var renderer = PieceRenderer {
      note()
      return .data(wav)
    }
    renderer.preview = .rendered {
      note()
      return nil
    }
    renderer.coverImage = {
      note()
      return .data(cover)
    }
    renderer.attachment = {
      note()
      return nil
    }
    let end = expectation(description: "the drop ended")
    renderer.dropEnded = { _ in
      note()
      end.fulfill()
    }
    world.exchange.drop(try PieceWorld.metadata(), renderer: renderer)
    wait(for: [end], timeout: 60)
    XCTAssertEqual(threads.events.count, 5)
    XCTAssertFalse(threads.events.contains(UInt(pthread_self())))
  }

  func test_dropEnded_isCalledBeforeTheResultIsDelivered() async throws {
    let world = try PieceWorld()
    let order = Recorder<String>()
    let wav = wav
    var renderer = PieceRenderer { .data(wav) }
    renderer.dropEnded = { _ in order.record("renderer") }
    let drop = world.exchange.drop(try PieceWorld.metadata(), renderer: renderer)
    let token = drop.result.sink { _ in
    } receiveValue: { _ in
      order.record("result")
    }
    _ = try await drop.result.get()
    XCTAssertEqual(order.events.first, "renderer")
    withExtendedLifetime(token) {}
  }

  func test_piece_isNotVisibleBeforeTheDropEnds() async throws {
    let world = try PieceWorld()
    let exchange = world.exchange
    let seen = Recorder<Int>()
    let (wav, path) = (wav, world.scratch.path("pieces"))
    var renderer = PieceRenderer { .data(wav) }
    renderer.coverImage = {
      seen.record(try await exchange.listing().pieces.count)
      return nil
    }
    renderer.attachment = {
      let listing = try await exchange.listing()
      seen.record(listing.pieces.count + listing.broken.count)
      return nil
    }
    try await world.drop(renderer) { part, fraction in
      guard part == nil, fraction < 1 else { return }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["?"]
      seen.record(names.count { !$0.hasPrefix(".") })
    }
    XCTAssertEqual(seen.events, [0, 0, 0])
  }

  func test_drop_ofAMixStemWithWrongLengthOrInvalidSamples_fails() async throws {
    let world = try PieceWorld()
    let cases: [(Data, DropError)] = [
      (
        PieceWorld.wav(frameCount: 809),
        .content(.mixStem, .wrongLength(101_125, expected: 100_000))
      ),
      (
        PieceWorld.wav(frameCount: 791),
        .content(.mixStem, .wrongLength(98_875, expected: 100_000))
      ),
      (PieceWorld.wav(frameCount: 0), .content(.mixStem, .empty)),
      (
        PieceWorld.wav(
          [Array(repeating: 0, count: 800), (0..<800).map { $0 == 700 ? .infinity : 0 }],
          encoding: .float32), .content(.mixStem, .notANumber(frame: 700, channel: 1))
      ),
    ]
    for (data, expected) in cases {
      let failure = try await world.failure(PieceRenderer { .data(data) })
      XCTAssertEqual(failure, expected)
      XCTAssertEqual(failure?.description.contains("mix stem"), true)
    }
  }

  func test_drop_ofATruncatedOrUnreadableMixStem_fails() async throws {
    let world = try PieceWorld()
    for data in [Data(), Data("RIFF".utf8), wav.prefix(20), try PieceWorld.cover("gray.png")] {
      let failure = try await world.failure(PieceRenderer { .data(data) })
      guard case .content(.mixStem, .unreadable) = failure else {
        XCTFail("\(String(describing: failure))")
        continue
      }
    }
    let short = wav.dropLast(2)
    let failure = try await world.failure(PieceRenderer { .data(short) })
    XCTAssertEqual(
      failure?.description, "the mix stem: the file is cut short: 799 of 800 frames")
  }

  func test_drop_ofAMixStemOneMillisecondLongerOrShorter_succeeds() async throws {
    for frameCount in [792, 800, 808] {
      let world = try PieceWorld()
      let wav = PieceWorld.wav(frameCount: frameCount)
      let piece = try await world.drop(PieceRenderer { .data(wav) })
      XCTAssertEqual(piece.metadata.length, 100_000)
    }
  }

  func test_drop_withoutALengthInTheMetadata_usesTheLengthOfTheMixStem() async throws {
    let world = try PieceWorld()
    let wav = PieceWorld.wav(frameCount: 801)
    let loop = try LoopMarkers(start: 0, end: 100_000)
    let piece = try await world.drop(
      PieceRenderer { .data(wav) }, PieceMetadata(title: "Rain", loop: loop))
    XCTAssertEqual(piece.metadata.length, 100_125)
    let stored = try await world.exchange.piece(piece.identifier)
    XCTAssertEqual(stored.metadata, piece.metadata)
    let late = try LoopMarkers(start: 0, end: 200_000)
    let failure = try await PieceWorld().failure(
      PieceRenderer { .data(wav) }, PieceMetadata(title: "Rain", loop: late))
    XCTAssertEqual(failure, .metadata(.loopBeyondLength(end: 200_000, length: 100_125)))
  }

  func test_drop_ofSixChannelsInEveryEncoding_succeeds() async throws {
    for encoding in SampleEncoding.allCases {
      let world = try PieceWorld()
      let wav = PieceWorld.wav(channelCount: 6, encoding: encoding)
      let stem = try await world.drop(PieceRenderer { .data(wav) }).mixStem()
      XCTAssertEqual(try Data(contentsOf: stem), wav)
    }
  }

  func test_drop_withAnEmptyPreview_fails_andWithoutAPreviewSucceeds() async throws {
    let world = try PieceWorld()
    let wav = wav
    var renderer = PieceRenderer { .data(wav) }
    renderer.preview = .rendered { .data(PieceWorld.wav(frameCount: 0)) }
    let empty = try await world.failure(renderer)
    XCTAssertEqual(empty, .content(.preview, .empty))
    renderer.preview = .rendered { nil }
    let piece = try await world.drop(renderer)
    XCTAssertFalse(piece.record.has(.preview))
  }

  func test_drop_withAPreviewOfAnyLength_storesIt() async throws {
    let world = try PieceWorld()
    let wav = wav
    for frameCount in [1, 791, 801, 8_000] {
      let preview = PieceWorld.wav(frameCount: frameCount, channelCount: 2, rate: 11_025)
      var renderer = PieceRenderer { .data(wav) }
      renderer.preview = .rendered { .data(preview) }
      let piece = try await world.drop(renderer)
      XCTAssertEqual(piece.metadata.length, 100_000)
      let file = try await piece.preview()
      XCTAssertEqual(try Data(contentsOf: file), preview, "\(frameCount) frames")
    }
  }

  func test_drop_withACoverOfWrongSizeOrAboveTheByteLimit_fails() async throws {
    let world = try PieceWorld()
    let (wav, half) = (wav, try PieceWorld.cover("half.png"))
    var renderer = PieceRenderer { .data(wav) }
    renderer.coverImage = { .data(half) }
    renderer.scaleCoverImage = { $0 }
    let wrongSize = try await world.failure(renderer)
    XCTAssertEqual(wrongSize, .content(.coverImage, .wrongSize(width: 320, height: 640)))
    let path = world.scratch.path("endless.png")
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: nil))
    XCTAssertEqual(truncate(path, 1 << 40), 0)
    renderer.coverImage = { .file(URL(fileURLWithPath: path)) }
    let tooLarge = try await world.failure(renderer)
    XCTAssertEqual(
      tooLarge,
      .content(
        .coverImage,
        .tooLarge(byteCount: Int64(CoverImage.byteLimit + 1), limit: CoverImage.byteLimit)))
  }

  func test_coverImageOfAnotherSize_isScaledByTheApplication_orOmitted() async throws {
    let (wav, half) = (wav, try PieceWorld.cover("half.png"))
    let whole = try PieceWorld.cover("gray.png")
    let warnings = Recorder<String>()
    var renderer = PieceRenderer { .data(wav) }
    renderer.coverImage = { .data(half) }
    renderer.dropWarning = { warnings.record("\($0): \($1)") }
    let without = try await PieceWorld().drop(renderer)
    XCTAssertFalse(without.record.has(.coverImage))
    XCTAssertEqual(warnings.events, ["cover image: 320 × 640 pixels instead of 640 × 640"])
    renderer.scaleCoverImage = { content in
      guard case .data(half) = content else { return nil }
      return .data(whole)
    }
    let world = try PieceWorld()
    let scaled = try await world.drop(renderer)
    let cover = try await scaled.coverImage()
    XCTAssertEqual(cover.flatMap { try? Data(contentsOf: $0) }, whole)
    renderer.scaleCoverImage = { _ in nil }
    let omitted = try await PieceWorld().drop(renderer)
    XCTAssertFalse(omitted.record.has(.coverImage))
    XCTAssertEqual(warnings.events.count, 1)
  }

  @MainActor
  func test_dropEndedOnMainActor_runsOnTheMainActor() async throws {
    let world = try PieceWorld()
    let (wav, ended) = (wav, expectation(description: "ended"))
    var renderer = PieceRenderer { .data(wav) }
    renderer.dropEndedOnMainActor = { result in
      MainActor.assertIsolated()
      XCTAssertEqual((try? result.get())?.metadata.title, "Rain on tin")
      ended.fulfill()
    }
    try await world.drop(renderer)
    await fulfillment(of: [ended], timeout: 60)
  }

  func test_attachmentAbove30MB_isRejected() async throws {
    let world = try PieceWorld()
    let wav = wav
    let path = world.scratch.path("large")
    let url = URL(fileURLWithPath: path)
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: nil))
    var renderer = PieceRenderer { .data(wav) }
    renderer.attachment = { PieceAttachment(.file(url), type: .octetStream) }
    for byteCount in [30_000_001, 1 << 40] {
      XCTAssertEqual(truncate(path, byteCount), 0)
      let failure = try await world.failure(renderer)
      XCTAssertEqual(
        failure,
        .content(.attachment, .tooLarge(byteCount: Int64(byteCount), limit: 30_000_000)))
    }
    renderer.attachment = {
      PieceAttachment(.data(Data(count: 30_000_001)), type: .octetStream)
    }
    let failure = try await world.failure(renderer)
    XCTAssertEqual(
      failure, .content(.attachment, .tooLarge(byteCount: 30_000_001, limit: 30_000_000)))
    XCTAssertEqual(truncate(path, 30_000_000), 0)
    renderer.attachment = { PieceAttachment(.file(url), type: .octetStream) }
    let piece = try await world.drop(renderer)
    XCTAssertEqual(piece.record.byteCounts[.attachment], 30_000_000)
  }

  func test_rendererThatThrows_failsTheDrop_andReceivesTheError() async throws {
    for part in PiecePart.allCases {
      let world = try PieceWorld()
      let ended = Recorder<Result<PieceIdentifier, DropError>>()
      var renderer = try renderer(Recorder(), ended: ended)
      switch part {
      case .mixStem: renderer.mixStem = { throw Refusal() }
      case .preview: renderer.preview = .rendered { throw Refusal() }
      case .coverImage: renderer.coverImage = { throw Refusal() }
      case .attachment: renderer.attachment = { throw Refusal() }
      }
      let failure = try await world.failure(renderer)
      XCTAssertEqual(failure, .notDelivered(part, reason: "Refusal()"))
      XCTAssertEqual(ended.events, [.failure(.notDelivered(part, reason: "Refusal()"))])
    }
  }

  func test_drop_ofAnUnreadableFile_fails_withoutBlocking() async throws {
    let world = try PieceWorld()
    let scratch = world.scratch
    XCTAssertEqual(mkfifo(scratch.path("pipe"), 0o600), 0)
    for name in ["missing.wav", "pipe", "."] {
      let url = scratch.url.appendingPathComponent(name)
      let failure = try await world.failure(PieceRenderer { .file(url) })
      guard case .unreadableContent(.mixStem, let error) = failure else {
        XCTFail("\(String(describing: failure))")
        continue
      }
      XCTAssertEqual(error.path, url.path)
    }
  }

  func test_drop_copiesTheFileOfTheRenderer() async throws {
    let world = try PieceWorld()
    let url = world.scratch.url.appendingPathComponent("song.wav")
    try wav.write(to: url)
    let piece = try await world.drop(PieceRenderer { .file(url) })
    XCTAssertEqual(try Data(contentsOf: url), wav, "the renderer's file changed")
    try Data("changed".utf8).write(to: url)
    try FileManager.default.removeItem(at: url)
    let stem = try await piece.mixStem()
    XCTAssertEqual(try Data(contentsOf: stem), wav)
  }

  func test_cancel_duringRendering_failsTheDrop_andLeavesNoFiles() async throws {
    let world = try PieceWorld()
    let calls = PendingCalls<PieceContent>()
    let ended = Recorder<Result<PieceIdentifier, DropError>>()
    var renderer = PieceRenderer { try await calls.next() }
    renderer.dropEnded = { ended.record($0.map(\.identifier)) }
    let drop = world.exchange.drop(try PieceWorld.metadata(), renderer: renderer)
    await calls.begun(1)
    XCTAssertEqual(try world.names().count, 1)
    drop.cancel()
    await calls.cancelled(0)
    // The renderer may deliver its data after the cancellation. This must not change the result.
    calls.answer(0, .success(.data(wav)))
    do {
      _ = try await drop.result.get()
      XCTFail("dropped")
    } catch {
      XCTAssertEqual(error as? DropError, .cancelled)
    }
    XCTAssertEqual(ended.events, [.failure(.cancelled)])
    XCTAssertEqual(try world.names(), [])
  }

  func test_cancel_atAnyProgressReport_leavesNoFilesOrACompletePiece() async throws {
    let large = PieceWorld.wav(frameCount: 100_000, channelCount: 2)
    let metadata = try PieceWorld.metadata(length: 12_500_000)
    var outcomes: Set<Bool> = []
    for moment in 0..<12 {
      let world = try PieceWorld()
      let url = world.scratch.url.appendingPathComponent("song.wav")
      try large.write(to: url)
      let holder = Holder<PieceDrop>()
      let reports = Recorder<(part: PiecePart?, fraction: Double)>()
      let calls = PendingCalls<PieceContent>()
      let drop = world.exchange.drop(
        metadata, renderer: PieceRenderer { try await calls.next() }
      ) { part, fraction in
        reports.record((part, fraction))
        if reports.events.count == moment + 2 { holder.value?.cancel() }
      }
      holder.value = drop
      await calls.begun(1)
      calls.answer(0, .success(.file(url)))
      let result: Result<Piece, any Error>
      do { result = .success(try await drop.result.get()) } catch { result = .failure(error) }
      let listing = try await world.exchange.listing()
      XCTAssertEqual(listing.broken, [:])
      switch result {
      case .success(let piece):
        outcomes.insert(true)
        XCTAssertEqual(listing.pieces, [piece.record])
      case .failure(let error):
        outcomes.insert(false)
        XCTAssertEqual(error as? DropError, .cancelled)
        XCTAssertEqual(try world.names(), [])
      }
    }
    XCTAssertEqual(outcomes, [true, false])
  }

  func test_progress_neverDecreases_andEndsWithOne() async throws {
    let world = try PieceWorld()
    let reports = Recorder<(part: PiecePart?, fraction: Double)>()
    let ended = Recorder<Result<PieceIdentifier, DropError>>()
    try await world.drop(renderer(Recorder(), ended: ended)) { reports.record(($0, $1)) }
    let fractions = reports.events.map(\.fraction)
    XCTAssertEqual(fractions, fractions.sorted())
    XCTAssertEqual(fractions.first, 0)
    XCTAssertEqual(fractions.last, 1)
    var parts: [PiecePart?] = []
    for report in reports.events where parts.last != .some(report.part) {
      parts.append(report.part)
    }
    XCTAssertEqual(parts, [.mixStem, .preview, .coverImage, .attachment, nil])
  }

  func test_drop_whosePieceDropObjectIsReleased_completes() async throws {
    let world = try PieceWorld()
    let wav = wav
    let identifier: PieceIdentifier? = await withCheckedContinuation { continuation in
      var renderer = PieceRenderer { .data(wav) }
      renderer.dropEnded = { continuation.resume(returning: try? $0.get().identifier) }
      guard let metadata = try? PieceWorld.metadata() else { return }
      world.exchange.drop(metadata, renderer: renderer)
    }
    XCTAssertEqual(try world.names(), [try XCTUnwrap(identifier).text])
  }

  func test_drop_intoACustomLibrary_deliversItsError() async throws {
    let scratch = try ScratchFolder()
    let library = RefusingLibrary(folder: scratch.url)
    let exchange = PieceExchange(
      configuration: try PieceConfiguration(applicationIdentifier: "a", apiKey: "wrong"),
      library: library)
    let wav = wav
    let drop = exchange.drop(
      try PieceWorld.metadata(), renderer: PieceRenderer { .data(wav) })
    do {
      _ = try await drop.result.get()
      XCTFail("dropped")
    } catch {
      XCTAssertEqual(error as? DropError, .library(.refused(reason: "wrong")))
    }
    XCTAssertEqual(library.calls.events, ["begin", "complete"])
  }
}

/// A library that begins a drop but refuses to complete it. The text of its error contains the API
/// key.
private struct RefusingLibrary: PieceLibrary {
  let folder: URL
  let calls = Recorder<String>()

  func beginDrop(
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceStaging {
    calls.record("begin")
    return PieceStaging(identifier: .random(), folder: folder)
  }

  func completeDrop(
    _ staging: PieceStaging, _ record: PieceRecord, for configuration: PieceConfiguration
  ) async throws(PieceError) {
    calls.record("complete")
    throw .refused(reason: configuration.apiKey)
  }

  func abandonDrop(_ staging: PieceStaging, for configuration: PieceConfiguration) async {
    calls.record("abandon")
  }

  func listing(
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceListing {
    PieceListing(pieces: [])
  }

  func record(
    of identifier: PieceIdentifier, for configuration: PieceConfiguration
  ) async throws(PieceError) -> PieceRecord {
    throw .notFound(identifier)
  }

  func file(
    _ part: PiecePart, of record: PieceRecord, format: PieceAudioFormat?,
    for configuration: PieceConfiguration
  ) async throws(PieceError) -> URL {
    throw .notFound(record.identifier)
  }

  func test_drop_ofPartsAtRemoteURLs_failsWithNotFileURL() async throws {
    let world = try PieceWorld()
    let remote = try XCTUnwrap(URL(string: "https://localhost/rain.wav"))
    let expected = FileAccessError.notFileURL(url: "https://localhost/rain.wav")
    let stem = try await world.failure(PieceRenderer { .file(remote) })
    XCTAssertEqual(stem, .unreadableContent(.mixStem, expected))
    let wav = PieceWorld.wav()
    var renderer = PieceRenderer { .data(wav) }
    renderer.coverImage = { .file(remote) }
    let cover = try await world.failure(renderer)
    XCTAssertEqual(cover, .unreadableContent(.coverImage, expected))
    renderer.coverImage = nil
    renderer.attachment = { PieceAttachment(.file(remote), type: .octetStream) }
    let attachment = try await world.failure(renderer)
    XCTAssertEqual(attachment, .unreadableContent(.attachment, expected))
    XCTAssertTrue("\(expected)".contains("not a file URL"))
  }
}
