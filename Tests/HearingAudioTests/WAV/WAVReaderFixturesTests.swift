import Foundation
import XCTest

@testable import HearingAudio

/// Reads files that sox, ffmpeg and libsndfile have written. The expected samples come from the
/// script `Resources/make-fixtures.py`, which decodes the files independently.
final class WAVReaderFixturesTests: XCTestCase {
  private struct Expectation: Decodable {
    let file: String
    let encoding: String
    let sampleRate: Int
    let channelCount: Int
    let bitPatterns: [[UInt32]]
  }

  func test_filesOfOtherPrograms_areReadBitExactly() throws {
    let folder = try XCTUnwrap(
      Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let list = try JSONDecoder().decode(
      [Expectation].self, from: Data(contentsOf: folder.appendingPathComponent("expected.json")))
    XCTAssertEqual(list.count, 39)
    for expectation in list {
      let path = folder.appendingPathComponent(expectation.file).path
      let reader = try WAVReader(path: path)
      XCTAssertEqual(reader.format.encoding.rawValue, expectation.encoding, expectation.file)
      XCTAssertEqual(reader.format.sampleRate, expectation.sampleRate, expectation.file)
      XCTAssertEqual(reader.format.channelCount, expectation.channelCount, expectation.file)
      XCTAssertEqual(
        reader.frameCount, expectation.bitPatterns[0].count, expectation.file)
      XCTAssertNil(reader.shortfall, expectation.file)
      let samples = try reader.readSamples()
      XCTAssertEqual(
        samples.map { $0.map(\.bitPattern) }, expectation.bitPatterns, expectation.file)
    }
  }
}
