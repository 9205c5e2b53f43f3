import Foundation
import HearingFitting
import XCTest

@testable import HearingAudio

/// Reads WAV files with headers that claim more data than a machine has memory.
final class WAVReaderMemoryTests: XCTestCase {
  /// A size slightly below 0xFFFFFFFF. Sizes near 0xFFFFFFFF can mean "unknown length".
  private static let huge: UInt32 = 0xFFFF_EFF0

  private func file(
    _ kind: String = "RIFF", _ build: (inout WAVBytes) -> Void
  ) -> [UInt8] {
    var file = WAVBytes(kind, riffSize: Self.huge)
    build(&file)
    return file.bytes
  }

  private var files: [(name: String, bytes: [UInt8])] {
    let sound = WAVBytes.int16([1, 2, 3])
    return [
      (
        "data",
        file {
          $0.format()
          $0.chunk("data", sound, size: Self.huge)
        }
      ),
      (
        "a format",
        file {
          $0.chunk("fmt ", [1, 0, 1, 0], size: Self.huge)
        }
      ),
      (
        "a list",
        file {
          $0.chunk("LIST", [1, 2, 3, 4], size: Self.huge)
          $0.format()
          $0.chunk("data", sound)
        }
      ),
      (
        "64-bit sizes",
        file("RF64") { file in
          var sizes = WAVBytes()
          sizes.bytes = []
          for _ in 0..<3 { sizes.integer(UInt64.max / 4) }
          sizes.integer(Self.huge)
          file.chunk("ds64", sizes.bytes, size: UInt32.max)
          file.format()
          file.chunk("data", sound, size: UInt32.max)
        }
      ),
      (
        "many channels",
        file {
          $0.format(channels: 65_535, rate: UInt32.max, frameSize: 65_535)
          $0.chunk("data", sound, size: Self.huge)
        }
      ),
    ]
  }

  func test_hugeSizesInTheHeader_areNeverAllocated() throws {
    guard ProcessMemory.peakReserved != nil else {
      throw XCTSkip("reserved memory is measured on Linux only")
    }
    #if THREAD_SANITIZER
      throw XCTSkip("the sanitizer reserves memory of its own")
    #else
      // The first read reserves memory that the process keeps. Therefore the first read happens
      // before the measurement.
      var harmless = WAVBytes()
      harmless.format()
      harmless.chunk("data", WAVBytes.int16([1, 2, 3]))
      XCTAssertTrue(read(harmless.bytes))
      // The system reports only the peak of the address space. Growth below an earlier peak is not
      // measurable. Therefore this allocation fills the address space up to the earlier peak.
      let room = max(1, (ProcessMemory.peakReserved ?? 0) - (ProcessMemory.reserved ?? 0))
      let filling = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
      defer { filling.deallocate() }
      let before = ProcessMemory.peakReserved ?? 0
      for (name, bytes) in files {
        let isReadable = read(bytes)
        let growth = (ProcessMemory.peakReserved ?? 0) - before
        XCTAssertLessThan(growth, 16 << 20, "\(name), readable: \(isReadable)")
      }
      // This allocation shows that the measurement includes memory that is reserved and never
      // accessed. It must come last, because the peak never decreases.
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 << 30, alignment: 16)
      defer { memory.deallocate() }
      let growth = (ProcessMemory.peakReserved ?? 0) - before
      XCTAssertGreaterThan(growth, 7 << 30)
    #endif
  }

  /// Reads all samples of `bytes` twice: as a file and as a stream. Returns whether both could be
  /// opened.
  private func read(_ bytes: [UInt8]) -> Bool {
    let sources: [any ByteSource] = [MemoryByteSource(bytes), StreamByteSource(bytes)]
    return sources.allSatisfy { source in
      guard let reader = try? WAVReader(source: source) else { return false }
      let block = AudioBlock(channelCount: reader.channelCount, capacity: 16)
      while let count = try? reader.read(into: block), count > 0 {}
      return true
    }
  }
}
