import Foundation
import SignalTestSupport
import TestSupport
import XCTest

@testable import HearingAudio

final class WAVWriterTests: XCTestCase {
  private func format(_ encoding: SampleEncoding, channels: Int = 1) -> WAVFormat {
    WAVFormat(sampleRate: 44_100, channelCount: channels, encoding: encoding)
  }

  /// Random samples that `encoding` can represent exactly.
  private func exactSamples(_ encoding: SampleEncoding, channels: Int, frames: Int) -> [[Float]] {
    (0..<channels).map { channel in
      let noise = Signals.noise(count: frames, amplitude: 1, seed: UInt64(channel + 1))
      guard !encoding.isFloatingPoint else { return noise.map { $0 * 3 } }
      let scale = Float(1 << (min(encoding.bitsPerSample, 24) - 1))
      return noise.map { ($0 * scale).rounded(.down) / scale }
    }
  }

  func test_roundTrip_everyEncoding_isBitExact() throws {
    for encoding in SampleEncoding.allCases {
      for channels in [1, 2, 3, 6, 1024] {
        let frames = channels > 100 ? 31 : 331
        let samples = exactSamples(encoding, channels: channels, frames: frames)
        let format = format(encoding, channels: channels)
        let reader = try WAVReader(bytes: WAVWriter.bytes(of: samples, format: format))
        XCTAssertEqual(reader.format, format)
        XCTAssertNil(reader.shortfall)
        XCTAssertEqual(reader.declaredFrameCount, frames)
        XCTAssertEqual(try reader.readSamples(), samples, "\(encoding), \(channels) channels")
      }
    }
  }

  func test_roundTrip_every16BitValue_keepsItsBits() throws {
    let samples = (Int16.min ... .max).map { Float($0) / 32768 }
    let bytes = try WAVWriter.bytes(of: [samples], format: format(.int16))
    XCTAssertEqual(Array(bytes.suffix(131_072)), WAVBytes.int16(Array(Int16.min ... .max)))
    XCTAssertEqual(try WAVReader(bytes: bytes).readSamples(), [samples])
  }

  func test_roundTrip_24BitValues_keepTheirBits() throws {
    let values =
      stride(from: -8_388_608, through: 8_388_607, by: 61).map { $0 }
      + [8_388_607, -1, 0, 1]
    let samples = values.map { Float($0) / 8_388_608 }
    let bytes = try WAVWriter.bytes(of: [samples], format: format(.int24))
    let expected = values.flatMap { value in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let padding = expected.count % 2
    XCTAssertEqual(Array(bytes.dropLast(padding).suffix(expected.count)), expected)
    XCTAssertEqual(try WAVReader(bytes: bytes).readSamples(), [samples])
  }

  func test_roundTrip_everyKindOfFloat_keepsItsBits() throws {
    let patterns: [UInt32] = [
      0, 0x8000_0000, 1, 0x0080_0000, 0x3F80_0000, 0x7F7F_FFFF, 0x7F80_0000, 0xFF80_0000,
      0x7FC0_1234,
    ]
    let samples = patterns.map { Float(bitPattern: $0) }
    let bytes = try WAVWriter.bytes(of: [samples], format: format(.float32))
    let read = try WAVReader(bytes: bytes).readSamples()
    XCTAssertEqual(read[0].map(\.bitPattern), patterns)
  }

  func test_dataOfOddSize_isPadded_andTheDataSizeExcludesThePadding() throws {
    let bytes = try WAVWriter.bytes(of: [[0, 0.5, -0.5]], format: format(.uint8))
    XCTAssertEqual(bytes.count % 2, 0)
    XCTAssertEqual(bytes.integer(at: 4, as: UInt32.self), bytes.count - 8)
    XCTAssertEqual(bytes.integer(at: bytes.count - 8, as: UInt32.self), 3)
    XCTAssertEqual(bytes.suffix(4), [128, 192, 64, 0])
  }

  func test_write_noFrames_givesAValidEmptyFile() throws {
    for encoding in SampleEncoding.allCases {
      let reader = try WAVReader(
        bytes: WAVWriter.bytes(of: [[], []], format: format(encoding, channels: 2)))
      XCTAssertEqual(reader.frameCount, 0)
      XCTAssertNil(reader.shortfall)
      XCTAssertEqual(try reader.readSamples(), [[], []])
    }
  }

  func test_write_countsClippedSamples() throws {
    let samples: [Float] = [1, -1, 1.5, -1.5, .nan, .infinity, -.infinity, 0.25, 1e30]
    let sink = MemoryByteSink()
    let writer = WAVWriter(sink: sink, format: format(.int16))
    try writer.write([samples])
    try writer.finish()
    XCTAssertEqual(writer.clippedSampleCount, 6)
    XCTAssertEqual(
      sink.bytes.suffix(18),
      WAVBytes.int16([32767, -32768, 32767, -32768, 0, 32767, -32768, 8192, 32767])[...])

    let floats = WAVWriter(sink: MemoryByteSink(), format: format(.float32))
    try floats.write([samples])
    XCTAssertEqual(floats.clippedSampleCount, 0)
  }

  func test_init_withAGain_multipliesEverySample() throws {
    let bytes = try WAVWriter.bytes(of: [[1, -1]], format: format(.int16), gain: 0.5)
    XCTAssertEqual(bytes.suffix(4), WAVBytes.int16([16384, -16384])[...])
    let floats = try WAVWriter.bytes(of: [[1, -3]], format: format(.float32), gain: 0.5)
    XCTAssertEqual(try WAVReader(bytes: floats).readSamples(), [[0.5, -1.5]])
  }

  func test_dataBeyondTheRIFFLimit_writesAnRF64File() throws {
    let samples = exactSamples(.int24, channels: 2, frames: 101)
    for (limit, name) in [(10_000, "RIFF"), (100, "RF64")] {
      let sink = MemoryByteSink()
      let writer = WAVWriter(
        sink: sink, format: format(.int24, channels: 2), riffByteLimit: limit)
      try writer.write(samples)
      try writer.finish()
      XCTAssertEqual(Array(sink.bytes.prefix(4)), Array(name.utf8))
      let reader = try WAVReader(bytes: sink.bytes + [UInt8](repeating: 1, count: 60))
      XCTAssertEqual(reader.declaredFrameCount, 101)
      XCTAssertEqual(try reader.readSamples(), samples)
    }
  }

  func test_path_existingFile_isReplacedOnlyByFinish() throws {
    let folder = try ScratchFolder()
    try folder.write([1, 2, 3], to: "out.wav")
    let writer = try WAVWriter(path: folder.path("out.wav"), format: format(.int16))
    try writer.write([exactSamples(.int16, channels: 1, frames: 100_000)[0]])
    XCTAssertEqual(try Array(folder.data("out.wav")), [1, 2, 3])
    XCTAssertEqual(try folder.names().count, 2)
    try writer.finish()
    try writer.finish()
    XCTAssertEqual(try folder.names(), ["out.wav"])
    XCTAssertEqual(try WAVReader(path: folder.path("out.wav")).frameCount, 100_000)
  }

  func test_path_writerAbandonedOrReleased_leavesOnlyTheOldFile() throws {
    let folder = try ScratchFolder()
    try folder.write([1, 2, 3], to: "out.wav")
    for abandons in [true, false] {
      var writer: WAVWriter? = try WAVWriter(
        path: folder.path("out.wav"), format: format(.int16))
      try writer?.write([exactSamples(.int16, channels: 1, frames: 100_000)[0]])
      XCTAssertEqual(try folder.names().count, 2)
      if abandons { writer?.abandon() }
      writer = nil
      XCTAssertEqual(try folder.names(), ["out.wav"])
      XCTAssertEqual(try Array(folder.data("out.wav")), [1, 2, 3])
    }
  }

  func test_init_pathIsAFolderOrInAMissingFolder_fails() throws {
    let folder = try ScratchFolder()
    XCTAssertThrowsError(
      try WAVWriter(path: folder.path("none/out.wav"), format: format(.int16))
    ) {
      XCTAssertEqual($0 as? FileAccessError, .folderNotFound(path: folder.path("none")))
    }
    XCTAssertThrowsError(try WAVWriter(path: folder.url.path, format: format(.int16))) {
      XCTAssertEqual($0 as? FileAccessError, .isFolder(path: folder.url.path))
    }
  }

  func test_write_toAFullDevice_failsEveryTime() throws {
    try XCTSkipUnless(FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full here")
    let writer = try WAVWriter(path: "/dev/full", format: format(.int16))
    let samples = [[Float](repeating: 0, count: 100_000)]
    for _ in 0..<2 {
      XCTAssertThrowsError(try writer.write(samples)) {
        XCTAssertEqual($0 as? FileAccessError, .noSpaceLeft(path: "/dev/full"))
      }
    }
    XCTAssertThrowsError(try writer.finish())
  }

  func test_fileDescriptor_ofAPipe_writesUnknownSizes_andIsReadable() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    let samples = exactSamples(.uint8, channels: 1, frames: 333)
    let writer = WAVWriter(fileDescriptor: ends[1], name: "pipe", format: format(.uint8))
    try writer.write(samples)
    try writer.finish()
    close(ends[1])
    let reader = try WAVReader(fileDescriptor: ends[0], name: "pipe")
    XCTAssertNil(reader.frameCount)
    XCTAssertEqual(try reader.readSamples(), samples)
    XCTAssertNil(reader.shortfall)
    close(ends[0])
  }

  func test_write_blocksOfAnySize_giveTheSameFile() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let samples = exactSamples(.int24, channels: 3, frames: 30_000)
    let whole = try WAVWriter.bytes(of: samples, format: format(.int24, channels: 3))
    let sink = MemoryByteSink()
    let writer = WAVWriter(sink: sink, format: format(.int24, channels: 3))
    var start = 0
    while start < 30_000 {
      let count = min(30_000 - start, Int.random(in: 0...9000, using: &generator))
      try writer.write(samples.map { Array($0[start..<start + count]) })
      start += count
    }
    try writer.finish()
    XCTAssertTrue(sink.bytes == whole, "seed \(seed)")
  }

  func test_header_isExtensibleWhereTheSpecificationRequiresIt() throws {
    func tag(_ encoding: SampleEncoding, _ channels: Int) throws -> UInt16 {
      let samples = [[Float]](repeating: [], count: channels)
      let bytes = try WAVWriter.bytes(of: samples, format: format(encoding, channels: channels))
      return UInt16(bytes[56]) | UInt16(bytes[57]) << 8
    }
    XCTAssertEqual(try tag(.uint8, 2), 1)
    XCTAssertEqual(try tag(.int16, 1), 1)
    XCTAssertEqual(try tag(.float32, 2), 3)
    XCTAssertEqual(try tag(.float64, 1), 3)
    XCTAssertEqual(try tag(.int24, 1), 0xFFFE)
    XCTAssertEqual(try tag(.int32, 2), 0xFFFE)
    XCTAssertEqual(try tag(.int16, 6), 0xFFFE)
  }

  func test_channelMask_isKept_forEveryEncodingAndChannelCount() throws {
    for encoding in SampleEncoding.allCases {
      for channelCount in [1, 2, 3, 6] {
        for mask: UInt32? in [nil, 0, 0x1, 0x600] {
          let format = WAVFormat(
            sampleRate: 48_000, channelCount: channelCount, encoding: encoding, channelMask: mask)
          let bytes = try WAVWriter.bytes(
            of: Array(repeating: [0.5], count: channelCount), format: format)
          XCTAssertEqual(try WAVReader(bytes: bytes).format, format)
        }
      }
    }
  }
}
