import Foundation
import HearingAudio
import HearingDSP
import HearingPieces
import HearingFitting
import HearingProcessing
import TestSupport
import XCTest

/// Compiles and runs the code on the documentation page about pieces.
final class DocumentedPiecesTests: XCTestCase {
  func test_documentedCode_compilesAndRuns() async throws {
    let world = try PieceWorld()
    let folder = world.scratch.url.appendingPathComponent("pieces")
    let song = try Song(world.scratch)
    let key = "key"
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n2, right: .n2))
    // begin
    let configuration = try PieceConfiguration(
      applicationIdentifier: "rain-maker", apiKey: key)
    let exchange = PieceExchange(
      configuration: configuration, library: FolderPieceLibrary(folder: folder))

    let metadata = try PieceMetadata(
      title: "Rain on tin", length: 8_000_000, tempo: 120,
      loop: LoopMarkers(start: 0, end: 8_000_000),
      timeSignature: TimeSignature(upper: 4, lower: 4), tonality: .majorScale(4))

    var renderer = PieceRenderer { .file(try await song.bounce()) }
    renderer.coverImage = { .data(try await song.picture()) }
    renderer.attachment = {
      PieceAttachment(.file(song.document), type: try MediaType("application/x-rain-project"))
    }
    renderer.dropEnded = { result in print(result) }
    // end
    // begin
    renderer.preview = .personalised(PersonalisedPreview(preset: preset))
    // end
    // begin

    let drop = exchange.drop(metadata, renderer: renderer) { part, fraction in
      print("\(fraction)")
    }
    let piece = try await drop.result.get()
    // end
    XCTAssertTrue(PiecePart.allCases.allSatisfy { piece.record.has($0) })
    let shown = expectation(description: "the opener delivered the piece")
    song.inserted.value = { shown.fulfill() }
    // begin
    let opener = PieceOpener(exchange) { result in
      switch result {
      case .success(let piece): song.insert(piece)
      case .failure(let error): song.alert("\(error)")
      }
    }
    let isOwn = opener.handleOpen(exchange.link(to: piece.identifier))
    // end
    XCTAssertTrue(isOwn)
    await fulfillment(of: [shown], timeout: 60)
    // begin
    let stem = try await piece.mixStem(format: .wav)
    let reader = try WAVReader(path: stem.path)
    // end
    XCTAssertEqual(reader.frameCount, 64_000)
  }

  func test_documentedCodeForAnAudioEngine_compilesAndRuns() async throws {
    let controller = ProcessingController()
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(2))))
    let reader = try WAVReader(bytes: Array(PieceWorld.wav(channelCount: 2, rate: 48_000)))
    let queue = Queue()
    // begin
    let processor = try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: reader.sampleRate, channelCount: reader.channelCount))
    let binding = session.bind(to: processor)
    let block = AudioBlock(channelCount: reader.channelCount, capacity: 512)
    while try reader.read(into: block) > 0 {
      processor.process(block)
      try queue.write(block)
    }
    // end
    XCTAssertEqual(queue.frameCount, 800)
    withExtendedLifetime(binding) {}
  }

  func test_page_containsExactlyTheCodeCompiledInThisFile() throws {
    let page = DocumentedLines.page(
      "Sources/HearingPieces/HearingPieces.docc/Pieces.md", from: #filePath)
    var compiled = try DocumentedLines.compiled(in: #filePath)
    // On the page, the code for the preview comes after the code for the drop. In this test, the
    // preview must be set before the drop.
    let preview = compiled.remove(at: 1)
    compiled[0] += compiled.remove(at: 1)
    compiled.insert(preview, at: 1)
    XCTAssertEqual(try DocumentedLines.printed(on: page), compiled)
  }
}

/// A substitute for the document of an app.
private struct Song: Sendable {
  let folder: URL
  let inserted = Holder<@Sendable () -> Void>()

  init(_ scratch: ScratchFolder) throws {
    folder = scratch.url
    try Data("rain".utf8).write(to: document)
  }

  var document: URL { folder.appendingPathComponent("song.rain") }

  func bounce() async throws -> URL {
    let url = folder.appendingPathComponent("bounce.wav")
    try PieceWorld.wav(frameCount: 64_000).write(to: url)
    return url
  }

  func picture() async throws -> Data { try PieceWorld.cover("gray.png") }

  func insert(_ piece: Piece) { inserted.take()?() }

  func alert(_ text: String) { XCTFail(text) }
}

/// A substitute for the queue of an app's audio engine. It only counts the frames.
private final class Queue: FrameSink {
  let channelCount = 2
  private(set) var frameCount = 0

  func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws {
    self.frameCount += frameCount
  }

  func finish() {}

  func abandon() {}
}
