import Foundation
import HearingAudio
import HearingPieces
import HearingProcessing
import TestSupport
import XCTest

/// A piece library in a temporary folder, with functions that drop pieces into the library.
struct PieceWorld {
  let scratch: ScratchFolder
  let exchange: PieceExchange

  init() throws {
    scratch = try ScratchFolder()
    exchange = PieceExchange(
      configuration: try PieceConfiguration(applicationIdentifier: "test-app", apiKey: "key"),
      library: FolderPieceLibrary(folder: scratch.url.appendingPathComponent("pieces")))
  }

  /// The names of all files and folders in the library's folder, including hidden ones.
  func names() throws -> [String] {
    let path = scratch.path("pieces")
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// Drops a piece into the library and waits for the result.
  @discardableResult
  func drop(
    _ renderer: PieceRenderer, _ metadata: PieceMetadata? = nil,
    progress: (@Sendable (PiecePart?, Double) -> Void)? = nil
  ) async throws -> Piece {
    try await exchange.drop(metadata ?? Self.metadata(), renderer: renderer, progress: progress)
      .result.get()
  }

  /// Drops a piece. The drop must fail. Returns the error of the drop.
  func failure(
    _ renderer: PieceRenderer, _ metadata: PieceMetadata? = nil, line: UInt = #line
  ) async throws -> DropError? {
    do {
      let piece = try await drop(renderer, metadata)
      XCTFail("dropped as \(piece.identifier)", line: line)
      return nil
    } catch let error as DropError {
      XCTAssertEqual(try names(), [], "the failed drop left files behind", line: line)
      return error
    }
  }

  /// The metadata of a piece with a length of 0.1 s.
  static func metadata(
    length: Int64 = 100_000, loop: LoopMarkers? = nil
  ) throws -> PieceMetadata {
    try PieceMetadata(title: "Rain on tin", length: length, loop: loop)
  }

  /// A WAV file that contains a sine. By default, it has 0.1 s at 8 kHz.
  static func wav(
    frameCount: Int = 800, channelCount: Int = 1, rate: Int = 8_000,
    encoding: SampleEncoding = .int16
  ) -> Data {
    let samples = (0..<channelCount).map { channel in
      (0..<frameCount).map { (frame: Int) -> Float in
        let turns: Double = Double(440 * (channel + 1) * frame) / Double(rate)
        return Float(0.1 * sin(2 * Double.pi * turns))
      }
    }
    return wav(samples, rate: rate, encoding: encoding)
  }

  /// A WAV file with these samples.
  static func wav(
    _ samples: [[Float]], rate: Int = 8_000, encoding: SampleEncoding = .int16
  ) -> Data {
    let format = WAVFormat(
      sampleRate: rate, channelCount: samples.count, encoding: encoding)
    guard let bytes = try? WAVWriter.bytes(of: samples, format: format) else {
      preconditionFailure("writing to memory failed")
    }
    return Data(bytes)
  }

  /// The image with this name in the resources of the tests.
  static func cover(_ name: String) throws -> Data {
    let url = Bundle.module.bundleURL.appendingPathComponent("Resources/Covers/\(name)")
    return try Data(contentsOf: url)
  }
}
