import Foundation
import TestSupport
import XCTest

@testable import HearingAudio

/// Writes and reads files larger than 4 GiB. The files are sparse, so they need little disk space.
final class LargeFileTests: XCTestCase {
  /// Writes zeros as holes of a sparse file.
  private final class SparseByteSink: ByteSink {
    let file: FileHandle
    var offset: UInt64 = 0

    init(path: String) throws {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      file = try XCTUnwrap(FileHandle(forUpdatingAtPath: path))
    }

    var canOverwrite: Bool { true }

    func write(_ bytes: [UInt8], at offset: Int?) throws(FileAccessError) {
      if bytes.contains(where: { $0 != 0 }) {
        try? file.seek(toOffset: offset.map(UInt64.init) ?? self.offset)
        file.write(Data(bytes))
      }
      if offset == nil { self.offset += UInt64(bytes.count) }
    }

    func commit() throws(FileAccessError) {
      try? file.truncate(atOffset: offset)
      try? file.close()
    }

    func abandon() {}
  }

  func test_fileOf5GiB_isWrittenAndReadAsRF64() throws {
    #if DEBUG
      throw XCTSkip("too slow without optimization; run with -c release")
    #else
      let folder = try ScratchFolder()
      let format = WAVFormat(sampleRate: 192_000, channelCount: 2, encoding: .float64)
      let frameCount = (5 << 30) / 16
      let writer = WAVWriter(sink: try SparseByteSink(path: folder.path("big.wav")), format: format)
      let block = AudioBlock(channelCount: 2, capacity: 1 << 16)
      let before = ProcessMemory.resident ?? 0
      var most = before
      block.frameCount = block.capacity
      while writer.frameCount < frameCount - 1 {
        block.frameCount = min(block.capacity, frameCount - 1 - writer.frameCount)
        try writer.write(block)
        if writer.frameCount % (1 << 24) == 0 { most = max(most, ProcessMemory.resident ?? 0) }
      }
      try writer.write((1...2).map { [Float($0) / 16] })
      try writer.finish()

      let reader = try WAVReader(path: folder.path("big.wav"))
      XCTAssertEqual(reader.format, format)
      XCTAssertEqual(reader.declaredFrameCount, frameCount)
      XCTAssertNil(reader.shortfall)
      var read = 0
      var last: [Float?] = []
      while try reader.read(into: block) > 0 {
        read += block.frameCount
        if read % (1 << 24) == 0 { most = max(most, ProcessMemory.resident ?? 0) }
        last = [block[0].last, block[1].last]
      }
      XCTAssertEqual(read, frameCount)
      XCTAssertLessThan(most - before, 32 << 20, "must be written and read in constant memory")
      XCTAssertEqual(last, (1...2).map { Float($0) / 16 })
      try reader.seek(toFrame: frameCount - 1)
      XCTAssertEqual(try reader.readSamples(), (1...2).map { [Float($0) / 16] })
    #endif
  }
}
