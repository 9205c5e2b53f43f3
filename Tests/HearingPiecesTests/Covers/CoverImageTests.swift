import Foundation
import HearingPieces
import TestSupport
import XCTest

final class CoverImageTests: XCTestCase {
  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try PieceWorld.cover(name))
  }

  private func failure(_ bytes: [UInt8], line: UInt = #line) -> PieceContent.Invalid? {
    do {
      _ = try CoverImage(bytes)
      return nil
    } catch {
      return error
    }
  }

  func test_init_acceptsImagesWrittenByOtherPrograms() throws {
    XCTAssertEqual(try CoverImage(bytes("gray.png")).format, .png)
    XCTAssertEqual(try CoverImage(bytes("baseline.jpg")).format, .jpeg)
    XCTAssertEqual(try CoverImage(bytes("progressive.jpg")).format, .jpeg)
  }

  func test_init_withWrongDimensions_failsWithWrongSize() throws {
    XCTAssertEqual(failure(try bytes("half.png")), .wrongSize(width: 320, height: 640))
    var jpeg = try bytes("baseline.jpg")
    let frame = try XCTUnwrap(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
    jpeg[frame + 6] = 0x81
    XCTAssertEqual(failure(jpeg), .wrongSize(width: 640, height: 641))
  }

  func test_init_ofOtherFormats_failsWithNotAnImage() throws {
    for text in ["", "GIF89a", "\u{89}PNG", "<svg/>", "RIFFxxxxWEBP"] {
      XCTAssertEqual(failure(Array(text.utf8)), .notAnImage)
    }
    XCTAssertEqual(failure([0x89, 0x50, 0x4E, 0x47]), .notAnImage)
  }

  func test_init_aboveTheByteLimit_failsWithTooLarge() {
    XCTAssertEqual(
      failure(Array(repeating: 0x89, count: CoverImage.byteLimit + 1)),
      .tooLarge(byteCount: Int64(CoverImage.byteLimit + 1), limit: CoverImage.byteLimit))
  }

  func test_init_ofATruncatedImage_fails() throws {
    for name in ["gray.png", "baseline.jpg", "progressive.jpg"] {
      let whole = try bytes(name)
      // In the header, the file is truncated after each byte. In the pixels, it is truncated only
      // after every 61st byte.
      for length in 0..<whole.count where length < 900 || length % 61 == 0 {
        let error = failure(Array(whole.prefix(length)))
        XCTAssertNotNil(error, "\(name), \(length) bytes")
        if length > 8 { XCTAssertEqual(error, .truncatedImage(offset: length), name) }
      }
    }
  }

  func test_init_ofAPNGWithAnyByteChanged_fails() throws {
    let whole = try bytes("gray.png")
    for index in whole.indices {
      var broken = whole
      broken[index] ^= 0x20
      XCTAssertNotNil(failure(broken), "byte \(index)")
    }
  }

  func test_init_ofAPNGWithoutPixels_failsWithMalformedImage() throws {
    let whole = try bytes("gray.png")
    // This file contains the signature and the chunks IHDR and IEND, but no pixels.
    let error = failure(Array(whole.prefix(33)) + Array(whole.suffix(12)))
    XCTAssertEqual(error, .malformedImage(offset: 33, reason: "no pixels before the end"))
  }

  func test_init_ofAJPEGWithHostileSegments_fails() throws {
    let start: [UInt8] = [0xFF, 0xD8, 0xFF]
    let cases: [([UInt8], PieceContent.Invalid)] = [
      ([0xE0, 0, 0], .malformedImage(offset: 4, reason: "a segment of 0 bytes")),
      ([0xE0, 0xFF, 0xFF], .truncatedImage(offset: 6)),
      ([0xC0, 0, 2, 0xFF], .malformedImage(offset: 6, reason: "a frame header of 0 bytes")),
      (
        [0xC0, 0, 8, 8, 2, 128, 2, 128, 255],
        .malformedImage(offset: 6, reason: "a frame header of 6 bytes")
      ),
      (
        [0xC3, 0, 11, 8, 2, 128, 2, 128, 1, 1, 0x11, 0],
        .malformedImage(offset: 3, reason: "a frame that is neither sequential nor progressive")
      ),
      (
        [0xC9, 0, 11, 8, 2, 128, 2, 128, 1, 1, 0x11, 0],
        .malformedImage(offset: 3, reason: "a frame that is neither sequential nor progressive")
      ),
      ([0xDA, 0, 2], .malformedImage(offset: 6, reason: "a scan without a frame")),
      ([0xD9], .malformedImage(offset: 3, reason: "no frame and no scan before this marker")),
      (
        [0xE0, 0, 2, 0x12],
        .malformedImage(offset: 6, reason: "no marker where a segment must begin")
      ),
      ([0xFF, 0xFF, 0xFF], .truncatedImage(offset: 6)),
    ]
    for (bytes, expected) in cases { XCTAssertEqual(failure(start + bytes), expected) }
  }

  func test_init_ofRandomlyDamagedImages_neverTraps() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for name in ["gray.png", "baseline.jpg", "progressive.jpg"] {
      let whole = try bytes(name)
      for _ in 0..<400 {
        // Most changes are in the header, because the code reads the header more thoroughly than
        // the pixels.
        var broken = Array(whole.prefix(Int.random(in: 1...whole.count, using: &generator)))
        for _ in 0..<3 {
          let end = Bool.random(using: &generator) ? min(200, broken.count) : broken.count
          broken[Int.random(in: 0..<end, using: &generator)] =
            [0, 0xFF, 0x7F, 0x80, UInt8.random(in: .min ... .max, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
        if let error = failure(broken) { XCTAssertFalse("\(error)".contains("\n")) }
      }
    }
  }
}
