import Foundation
import HearingFitting
import TestSupport
import XCTest

@testable import HearingAudio

final class WAVReaderTests: XCTestCase {
  private let samples: [Int16] = [0, 1, -1, 16384, -16384, 32767, -32768]

  private var expected: [Float] { samples.map { Float($0) / 32768 } }

  private func plainFile() -> WAVBytes {
    var file = WAVBytes()
    file.format()
    file.chunk("data", WAVBytes.int16(samples))
    return file
  }

  /// Reads a mono file twice: from memory and as a stream. Checks that the samples of both are
  /// equal, and returns the samples.
  private func readBoth(
    _ bytes: [UInt8], file: StaticString = #filePath, line: UInt = #line
  ) throws -> [Float] {
    let whole = try WAVReader(bytes: bytes).readSamples()
    let stream = try WAVReader(source: StreamByteSource(bytes)).readSamples()
    XCTAssertEqual(whole, stream, file: file, line: line)
    return whole[0]
  }

  private func assertFails(
    _ bytes: [UInt8], _ error: WAVReadError, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertThrowsError(try WAVReader(bytes: bytes), file: file, line: line) {
      XCTAssertEqual($0 as? WAVReadError, error, file: file, line: line)
    }
    XCTAssertThrowsError(
      try WAVReader(source: StreamByteSource(bytes)), file: file, line: line
    ) {
      XCTAssertEqual($0 as? WAVReadError, error, file: file, line: line)
    }
  }

  func test_init_plainFile_hasFormatAndLength() throws {
    let reader = try WAVReader(bytes: plainFile().finished)
    XCTAssertEqual(
      reader.format, WAVFormat(sampleRate: 8000, channelCount: 1, encoding: .int16))
    XCTAssertEqual(reader.frameCount, 7)
    XCTAssertEqual(reader.declaredFrameCount, 7)
    XCTAssertEqual(reader.remainingFrameCount, 7)
    XCTAssertEqual(reader.sampleRate, 8000)
    XCTAssertNil(reader.shortfall)
  }

  func test_read_inSmallBlocks_returnsEveryFrameOnce_andTheLastBlockIsShorter() throws {
    let reader = try WAVReader(bytes: plainFile().finished)
    let block = AudioBlock(channelCount: 1, capacity: 3)
    var read: [[Float]] = []
    while try reader.read(into: block) > 0 { read.append(Array(block[0])) }
    XCTAssertEqual(read.map(\.count), [3, 3, 1])
    XCTAssertEqual(read.flatMap { $0 }, expected)
    XCTAssertEqual(reader.position, 7)
    XCTAssertEqual(reader.remainingFrameCount, 0)
  }

  func test_chunks_unknownAndOddSized_areSkipped() throws {
    var file = WAVBytes()
    file.chunk("LIST", [1, 2, 3])
    file.format()
    file.chunk("\u{1}\u{2}~~", [9])
    file.chunk("zero", [])
    file.chunk("data", WAVBytes.int16(samples))
    file.chunk("LIST", [1, 2, 3, 4])
    XCTAssertEqual(try readBoth(file.finished), expected)
  }

  func test_chunks_oddSizedWithoutPadding_areSkipped() throws {
    var file = WAVBytes()
    file.chunk("note", [1, 2, 3], pads: false)
    file.format()
    file.chunk("note", [1], pads: false)
    file.chunk("data", WAVBytes.int16(samples))
    XCTAssertEqual(try readBoth(file.finished), expected)
  }

  func test_chunks_paddingThatIsNotZero_isSkipped() throws {
    var file = WAVBytes()
    file.chunk("note", [1, 2, 3], pads: false)
    file.bytes.append(0x64)
    file.format()
    file.chunk("data", WAVBytes.int16(samples))
    XCTAssertEqual(try readBoth(file.finished), expected)
  }

  func test_chunk_largerThanTheReadBuffer_isSkipped() throws {
    var file = WAVBytes()
    file.chunk("bext", [UInt8](repeating: 7, count: 200_001))
    file.format()
    file.chunk("data", WAVBytes.int16(samples))
    XCTAssertEqual(try readBoth(file.finished), expected)
  }

  func test_dataSize_unknown_readsToTheEnd() throws {
    let sizes: [(riff: UInt32, data: UInt32)] = [
      (0, 0), (.max, .max), (.max, 0), (36, 0), (8, 0), (0x7FFF_F024, 0x7FFF_F000),
      (0x8000_0024, 0x8000_0000), (0xFFFF_FFFE, 0xFFFF_FFDA),
    ]
    for (riff, data) in sizes {
      var file = WAVBytes("RIFF", riffSize: riff)
      file.format()
      file.chunk("data", WAVBytes.int16(samples), size: data)
      XCTAssertEqual(try readBoth(file.finished), expected, "RIFF \(riff), data \(data)")
      let reader = try WAVReader(bytes: file.finished)
      XCTAssertNil(reader.declaredFrameCount)
      XCTAssertEqual(reader.frameCount, 7)
      XCTAssertNil(reader.shortfall)
      let stream = try WAVReader(source: StreamByteSource(file.finished))
      XCTAssertNil(stream.frameCount)
      _ = try stream.readSamples()
      XCTAssertEqual(stream.frameCount, 7)
      XCTAssertNil(stream.shortfall)
    }
  }

  func test_dataSize_zeroInAConsistentHeader_givesAnEmptyFile() throws {
    var file = WAVBytes()
    file.format()
    file.chunk("data", [])
    XCTAssertEqual(try readBoth(file.finished), [])
    file.chunk("LIST", [1, 2, 3, 4])
    XCTAssertEqual(try readBoth(file.finished), [])
    XCTAssertEqual(try WAVReader(bytes: file.finished).frameCount, 0)
  }

  func test_data_shorterThanItsDeclaredSize_isRead_andTheShortfallIsReported() throws {
    var file = WAVBytes("RIFF", riffSize: 2000)
    file.format(channels: 2)
    file.chunk("data", WAVBytes.int16(samples), size: 1000)
    let reader = try WAVReader(bytes: file.finished)
    XCTAssertEqual(reader.frameCount, 3)
    XCTAssertEqual(reader.shortfall?.expected, 250)
    XCTAssertEqual(reader.shortfall?.found, 3)
    XCTAssertEqual(
      reader.shortfallText, "the file is cut short: 3 of 250 frames")
    XCTAssertEqual(try reader.readSamples()[0], [expected[0], expected[2], expected[4]])

    let stream = try WAVReader(source: StreamByteSource(file.finished))
    XCTAssertEqual(stream.frameCount, 250)
    XCTAssertNil(stream.shortfall, "not known before the end of the stream")
    XCTAssertEqual(try stream.readSamples()[0].count, 3)
    XCTAssertEqual(stream.shortfallText, reader.shortfallText)
    XCTAssertEqual(stream.remainingFrameCount, 0)
  }

  func test_rf64_readsTheSizeFromTheDs64Chunk() throws {
    for name in ["RF64", "BW64"] {
      var sizes = WAVBytes()
      sizes.bytes = []
      sizes.integer(UInt64(1000))
      sizes.integer(UInt64(samples.count * 2))
      sizes.integer(UInt64(7))
      sizes.integer(UInt32(1))
      sizes.text("huge")
      sizes.integer(UInt64(5))
      var file = WAVBytes(name, riffSize: .max)
      file.chunk("ds64", sizes.bytes)
      file.chunk("huge", [1, 2, 3, 4, 5], size: .max)
      file.format()
      file.chunk("data", WAVBytes.int16(samples), size: .max)
      file.chunk("LIST", [1, 2, 3, 4])
      XCTAssertEqual(try readBoth(file.finished), expected, name)
    }
  }

  func test_rf64_withUnknownSizes_readsToTheEnd() throws {
    for size in [0, UInt64.max] {
      var sizes = WAVBytes()
      sizes.bytes = []
      for _ in 0..<3 { sizes.integer(size) }
      sizes.integer(UInt32(0))
      var file = WAVBytes("RF64", riffSize: .max)
      file.chunk("ds64", sizes.bytes)
      file.format()
      file.chunk("data", WAVBytes.int16(samples), size: .max)
      XCTAssertEqual(try readBoth(file.finished), expected)
    }
  }

  func test_extensible_20ValidBitsOf24_readsAll24Bits() throws {
    var tail = WAVBytes()
    tail.bytes = []
    tail.integer(UInt16(22))
    tail.integer(UInt16(20))
    tail.integer(UInt32(0x4))
    tail.integer(UInt16(1))
    tail.bytes.append(contentsOf: WAVFormat.subFormatTail)
    var file = WAVBytes()
    file.format(tag: 0xFFFE, bits: 24, tail: tail.bytes)
    file.chunk("data", [0x00, 0x00, 0x40])
    let reader = try WAVReader(bytes: file.finished)
    XCTAssertEqual(reader.format.encoding, .int24)
    XCTAssertEqual(try reader.readSamples(), [[0.5]])
  }

  func test_pcm_12BitsInTwoBytes_readsAll16Bits() throws {
    var file = WAVBytes()
    file.format(bits: 12)
    file.chunk("data", WAVBytes.int16([16384, -32768]))
    XCTAssertEqual(try readBoth(file.finished), [0.5, -1])
  }

  func test_init_invalidHeader_failsWithTheByteOffset() throws {
    assertFails([], .endsInHeader(offset: 0, reading: "the file header"))
    assertFails(Array("RIF".utf8), .endsInHeader(offset: 3, reading: "the file header"))
    assertFails(
      Array("fLaC....".utf8),
      .notWAV(found: "fLaC", expected: "'RIFF', 'RF64' or 'BW64'", offset: 0))
    assertFails(
      WAVBytes(kind: "AVI ").finished, .notWAV(found: "AVI ", expected: "'WAVE'", offset: 8))
    assertFails(WAVBytes().finished, .missingData(offset: 12))

    var file = WAVBytes()
    file.chunk("data", [1, 2])
    assertFails(file.finished, .missingFormat(offset: 12))
    file = WAVBytes()
    file.chunk("fmt ", [1, 0, 1])
    assertFails(file.finished, .formatTooShort(byteCount: 3, needed: 16, offset: 20))
    file = WAVBytes()
    file.format(channels: 0, bits: 16)
    assertFails(file.finished, .unsupportedChannelCount(0, offset: 22))
    file = WAVBytes()
    file.format(channels: 2000, bits: 16)
    assertFails(file.finished, .unsupportedChannelCount(2000, offset: 22))
    file = WAVBytes()
    file.format(rate: 0)
    assertFails(file.finished, .zeroSampleRate(offset: 24))
    file = WAVBytes()
    file.format(channels: 2, frameSize: 3, bits: 16)
    assertFails(file.finished, .inconsistentFrameSize(byteCount: 3, expected: 4, offset: 32))
    file = WAVBytes()
    file.format(channels: 1, frameSize: 7, bits: 32)
    assertFails(file.finished, .inconsistentFrameSize(byteCount: 7, expected: 4, offset: 32))
    file = WAVBytes()
    file.format(tag: 2, frameSize: 256, bits: 4)
    assertFails(file.finished, .unsupportedEncoding(formatTag: 2, bitsPerSample: 4, offset: 20))
    file = WAVBytes()
    file.format(tag: 3, bits: 16)
    assertFails(file.finished, .unsupportedEncoding(formatTag: 3, bitsPerSample: 16, offset: 20))
    file = WAVBytes()
    file.format(bits: 0)
    assertFails(file.finished, .unsupportedEncoding(formatTag: 1, bitsPerSample: 0, offset: 20))
    file = WAVBytes()
    file.format(tag: 0xFFFE, tail: [22, 0])
    assertFails(file.finished, .formatTooShort(byteCount: 18, needed: 40, offset: 20))
    file = WAVBytes()
    file.format(tag: 0xFFFE, tail: [UInt8](repeating: 0xAB, count: 24))
    assertFails(
      file.finished,
      .unsupportedSubFormat(identifier: "abababab-abab-abab-abab-abababababab", offset: 44))
    file = WAVBytes()
    file.format()
    assertFails(
      Array(file.finished.dropLast(5)), .endsInHeader(offset: 31, reading: "the format chunk"))
    file.text("da")
    assertFails(file.finished, .missingData(offset: 36))
    file = WAVBytes("RF64", riffSize: .max)
    file.chunk("ds64", [1, 2, 3], size: 28)
    assertFails(file.finished, .endsInHeader(offset: 24, reading: "the ds64 chunk"))
  }

  func test_init_chunkLargerThanTheFile_fails() throws {
    var file = WAVBytes("RIFF", riffSize: 100)
    file.chunk("LIST", [1, 2, 3, 4], size: 0xFFFF_FFF0)
    assertFails(file.finished, .missingData(offset: 24))
  }

  func test_init_endlessStreamOfChunks_failsAfter4096Chunks() throws {
    var file = WAVBytes()
    file.format()
    file.bytes.append(0)
    let source = StreamByteSource(file.finished, repeatsLastForever: true)
    XCTAssertThrowsError(try WAVReader(source: source)) {
      XCTAssertEqual(
        $0 as? WAVReadError, .tooManyChunks(limit: 4096, offset: 12 + 24 + 4095 * 8))
    }
  }

  func test_description_ofEveryError_isOneLine() throws {
    let errors: [WAVReadError] = [
      .file(.notFound(path: "x.wav")), .notWAV(found: "fLaC", expected: "'WAVE'", offset: 8),
      .endsInHeader(offset: 3, reading: "the file header"),
      .formatTooShort(byteCount: 3, needed: 16, offset: 20),
      .unsupportedEncoding(formatTag: 2, bitsPerSample: 4, offset: 20),
      .unsupportedSubFormat(identifier: "ab", offset: 44), .zeroSampleRate(offset: 24),
      .unsupportedChannelCount(0, offset: 22),
      .inconsistentFrameSize(byteCount: 3, expected: 4, offset: 32), .missingFormat(offset: 12),
      .missingData(offset: 12), .tooManyChunks(limit: 4096, offset: 9), .notSeekable,
    ]
    for error in errors {
      XCTAssertFalse(error.description.isEmpty)
      XCTAssertFalse(error.description.contains("\n"), error.description)
    }
    XCTAssertEqual(errors[1].description, "byte 8: not a WAV file: 'fLaC' instead of 'WAVE'")
  }

  func test_init_missingPath_folderOrUnreadableFile_failsWithDifferentErrors() throws {
    let folder = try ScratchFolder()
    XCTAssertThrowsError(try WAVReader(path: folder.path("none.wav"))) {
      XCTAssertEqual($0 as? WAVReadError, .file(.notFound(path: folder.path("none.wav"))))
    }
    XCTAssertThrowsError(try WAVReader(path: folder.url.path)) {
      XCTAssertEqual($0 as? WAVReadError, .file(.isFolder(path: folder.url.path)))
    }
    let locked = try folder.write(plainFile().finished, to: "locked.wav")
    XCTAssertEqual(chmod(locked, 0), 0)
    try XCTSkipIf(geteuid() == 0, "the superuser may read everything")
    XCTAssertThrowsError(try WAVReader(path: locked)) {
      XCTAssertEqual($0 as? WAVReadError, .file(.permissionDenied(path: locked)))
    }
  }

  func test_seek_toAnyFrame_readsFromThatFrame_andFailsInAStream() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(plainFile().finished, to: "in.wav")
    for reader in [try WAVReader(path: path), try WAVReader(bytes: plainFile().finished)] {
      XCTAssertEqual(try reader.readSamples(), [expected])
      try reader.seek(toFrame: 0)
      XCTAssertEqual(try reader.readSamples(), [expected])
      try reader.seek(toFrame: 5)
      XCTAssertEqual(reader.remainingFrameCount, 2)
      XCTAssertEqual(try reader.readSamples(), [Array(expected[5...])])
      try reader.seek(toFrame: 7)
      XCTAssertEqual(try reader.readSamples(), [[]])
    }
    let stream = try WAVReader(source: StreamByteSource(plainFile().finished))
    try stream.seek(toFrame: 0)
    _ = try stream.readSamples()
    XCTAssertThrowsError(try stream.seek(toFrame: 0)) {
      XCTAssertEqual($0 as? WAVReadError, .notSeekable)
    }
  }

  func test_fileDescriptor_ofAPipe_readsToTheEnd() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    let bytes = plainFile().finished
    XCTAssertEqual(write(ends[1], bytes, bytes.count), bytes.count)
    close(ends[1])
    let reader = try WAVReader(fileDescriptor: ends[0], name: "pipe")
    XCTAssertEqual(try reader.readSamples(), [expected])
    close(ends[0])
  }
}
