import Foundation
import HearingPieces
import HearingFitting
import TestSupport
import XCTest

final class PieceMetadataTests: XCTestCase {
  private func failure(
    title: String = "t", length: Int64 = 10, tempo: Double? = nil, loop: LoopMarkers? = nil,
    basedOn: [PieceIdentifier] = []
  ) -> PieceMetadata.Invalid? {
    do {
      _ = try PieceMetadata(
        title: title, length: length, tempo: tempo, loop: loop, basedOn: basedOn)
      return nil
    } catch {
      return error
    }
  }

  func test_lengthBelowOneMicrosecondOrAboveOneDay_isRejected() {
    let day: Int64 = 24 * 60 * 60 * 1_000_000
    for length in [1, 2, day - 1, day] { XCTAssertNil(failure(length: length)) }
    for length in [0, -1, day + 1, .max, .min] {
      XCTAssertEqual(failure(length: length), .lengthOutOfRange(length))
    }
  }

  func test_tempoOutside1To999point999_isRejected() {
    for tempo in [1, 120.5, 999.999] { XCTAssertNil(failure(tempo: tempo)) }
    for tempo in [0.999, 0, -120, 999.9991, 1_000, .infinity, .nan] {
      XCTAssertEqual(failure(tempo: tempo), .tempoOutOfRange(tempo))
    }
  }

  func test_loopOutsideTheLength_isRejected() throws {
    XCTAssertNil(failure(loop: try LoopMarkers(start: 0, end: 10)))
    XCTAssertEqual(
      failure(loop: try LoopMarkers(start: 0, end: 11)), .loopBeyondLength(end: 11, length: 10))
    XCTAssertThrowsError(try LoopMarkers(start: 5, end: 5)) {
      XCTAssertEqual($0 as? PieceMetadata.Invalid, .loopStartNotBeforeEnd(start: 5, end: 5))
    }
    XCTAssertThrowsError(try LoopMarkers(start: 6, end: 5)) {
      XCTAssertEqual($0 as? PieceMetadata.Invalid, .loopStartNotBeforeEnd(start: 6, end: 5))
    }
    XCTAssertThrowsError(try LoopMarkers(start: -1, end: 5)) {
      XCTAssertEqual($0 as? PieceMetadata.Invalid, .negativeLoopStart(-1))
    }
  }

  func test_timeSignature_acceptsOnly1To16BeatsOfHalfToSixteenthNotes() {
    for upper in -2...20 {
      for lower in -2...40 {
        let isValid = (1...16).contains(upper) && [2, 4, 8, 16].contains(lower)
        do {
          let signature = try TimeSignature(upper: upper, lower: lower)
          XCTAssertTrue(isValid)
          XCTAssertEqual("\(signature)", "\(upper)/\(lower)")
        } catch {
          XCTAssertFalse(isValid)
          XCTAssertEqual(
            error,
            (1...16).contains(upper) ? .unknownNoteValue(lower) : .beatsOutOfRange(upper))
        }
      }
    }
  }

  func test_titleThatIsInvisibleTooLongOrHasControlCharacters_isRejected() {
    let scalars = String(repeating: "ä", count: 200)
    for title in ["x", " x ", "雨", "a\u{301}", scalars] { XCTAssertNil(failure(title: title)) }
    let invisible = [
      "", " ", "\u{2003}", "\u{200B}", "\u{200B}\u{200D} \u{FEFF}", "\u{202E}\u{2066}", "\u{AD}",
      "\u{2800}", "\u{3164}", "\u{115F}", "\u{34F}", "\u{E0020}", "\n\t",
    ]
    for title in invisible {
      XCTAssertEqual(failure(title: title), .emptyTitle, "\(title.unicodeScalars.map(\.value))")
    }
    XCTAssertEqual(
      failure(title: scalars + "x"), .titleTooLong(201, limit: 200))
    // The title has only one visible character. It consists of 1,001 code points.
    let stacked = "a" + String(repeating: "\u{301}", count: 1_000)
    XCTAssertEqual(failure(title: stacked), .titleTooLong(1_001, limit: 200))
    for end in ["\n", "\u{0}", "\u{7F}", "\u{2028}", "\u{1B}"] {
      XCTAssertEqual(failure(title: "ab\(end)c"), .controlCharacterInTitle(index: 2))
    }
  }

  func test_basedOn_withARepeatedPieceOrMoreThan1000Pieces_isRejected() throws {
    let one = try XCTUnwrap(PieceIdentifier("one"))
    let two = try XCTUnwrap(PieceIdentifier("two"))
    XCTAssertNil(failure(basedOn: [one, two]))
    XCTAssertEqual(failure(basedOn: [one, two, one]), .repeatedOrigin(one, index: 2))
    let many = (0...1_000).compactMap { PieceIdentifier("\($0)") }
    XCTAssertNil(failure(basedOn: Array(many.dropLast())))
    XCTAssertEqual(failure(basedOn: many), .tooManyOrigins(1_001, limit: 1_000))
  }

  func test_invalidMetadata_errorDescription_namesTheField() throws {
    XCTAssertEqual(
      failure(loop: try LoopMarkers(start: 0, end: 11))?.description,
      "loop.end: 11 µs is after the end of the piece, 10 µs")
    XCTAssertEqual(
      failure(tempo: .nan)?.description, "tempo: nan BPM is outside 1 to 999.999")
  }

  func test_microseconds_areRounded_andClampedInsteadOfOverflowing() {
    XCTAssertEqual(PieceMetadata.microseconds(frameCount: 48_000, sampleRate: 48_000), 1_000_000)
    XCTAssertEqual(PieceMetadata.microseconds(frameCount: 1, sampleRate: 44_100), 23)
    XCTAssertEqual(PieceMetadata.microseconds(frameCount: 0, sampleRate: 1), 0)
    XCTAssertEqual(PieceMetadata.microseconds(frameCount: .max, sampleRate: 1), .max)
    XCTAssertEqual(
      PieceMetadata.microseconds(frameCount: .max, sampleRate: 4_294_967_295), 2_147_483_648_500_000
    )
  }

  func test_json_roundTrips() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let metadata = try Self.random(&generator)
      XCTAssertEqual(try PieceMetadata(json: metadata.jsonData()), metadata)
      XCTAssertEqual(
        try JSONDecoder().decode(PieceMetadata.self, from: JSONEncoder().encode(metadata)),
        metadata)
    }
  }

  func test_json_unknownKeys_areIgnored() throws {
    let text = #"{"title": "t", "length": 5, "mood": {"x": [1]}, "loop": null}"#
    XCTAssertEqual(
      try PieceMetadata(json: Data(text.utf8)), try PieceMetadata(title: "t", length: 5))
  }

  func test_json_withWrongValues_failsAndNamesTheirPath() {
    let flags = Array(repeating: "true", count: 12).joined(separator: ",")
    let cases = [
      (#"{"length": 5}"#, "title"),
      (#"{"title": 3, "length": 5}"#, "title"), (#"{"title": "", "length": 5}"#, "title"),
      (#"{"title": "t", "length": 0}"#, "length"), (#"{"title": "t", "length": 1.5}"#, "length"),
      (#"{"title": "t", "length": 1e40}"#, "length"),
      (#"{"title": "t", "length": "5"}"#, "length"),
      (#"{"title": "t", "length": true}"#, "length"),
      (#"{"title": "t", "length": 5, "tempo": 0}"#, "tempo"),
      (#"{"title": "t", "length": 5, "tempo": 1e999}"#, "tempo"),
      (#"{"title": "t", "length": 5, "tempo": "120"}"#, "tempo"),
      (#"{"title": "t", "length": 5, "loop": {"start": 0}}"#, "loop.end"),
      (#"{"title": "t", "length": 5, "loop": {"start": 0, "end": 6}}"#, "loop.end"),
      (#"{"title": "t", "length": 5, "loop": {"start": 3, "end": 3}}"#, "loop.start"),
      (#"{"title": "t", "length": 5, "loop": []}"#, "loop"),
      (
        #"{"title": "t", "length": 5, "timeSignature": {"upper": 4, "lower": 3}}"#,
        "timeSignature.lower"
      ),
      (
        #"{"title": "t", "length": 5, "timeSignature": {"upper": 0, "lower": 4}}"#,
        "timeSignature.upper"
      ),
      (#"{"title": "t", "length": 5, "basedOn": ["a", "../b"]}"#, "basedOn[1]"),
      (#"{"title": "t", "length": 5, "basedOn": ["a", "b", "a"]}"#, "basedOn[2]"),
      (#"{"title": "t", "length": 5, "tonality": {"kind": "modal"}}"#, "tonality.kind"),
      (
        #"{"title": "t", "length": 5, "tonality": {"kind": "tonal", "root": 12, "pitchClasses": [\#(flags)]}}"#,
        "tonality.root"
      ),
    ]
    for (text, place) in cases {
      do {
        _ = try PieceMetadata(json: Data(text.utf8))
        XCTFail(text)
      } catch {
        guard case .invalid(place, _) = error else {
          XCTFail("\(text): \(error)")
          continue
        }
        XCTAssertFalse("\(error)".contains("\n"))
      }
    }
  }

  func test_json_randomlyDamaged_neverTraps() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes = Array(try Self.random(&generator).jsonData())
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: place)
        }
      }
      if let read = try? PieceMetadata(json: Data(bytes)) {
        XCTAssertEqual(try PieceMetadata(json: read.jsonData()), read)
      }
    }
  }

  private static func random(_ generator: inout SeededGenerator) throws -> PieceMetadata {
    let length = Int64.random(in: 2...86_400_000_000, using: &generator)
    let start = Int64.random(in: 0..<length, using: &generator)
    let loop = try LoopMarkers(
      start: start, end: .random(in: (start + 1)...length, using: &generator))
    let signature = try TimeSignature(
      upper: .random(in: 1...16, using: &generator),
      lower: [2, 4, 8, 16].randomElement(using: &generator) ?? 4)
    let tonalities: [Tonality] = [.unknown, .atonal, .majorScale(4)]
    return try PieceMetadata(
      title: "\"Rain\" / \\ 雨 \(generator.next())", length: length,
      tempo: Bool.random(using: &generator)
        ? .random(in: 1...999.999, using: &generator) : nil,
      loop: Bool.random(using: &generator) ? loop : nil,
      timeSignature: Bool.random(using: &generator) ? signature : nil,
      basedOn: Bool.random(using: &generator) ? [.random(), .random()] : [],
      tonality: tonalities.randomElement(using: &generator) ?? .unknown)
  }
}
