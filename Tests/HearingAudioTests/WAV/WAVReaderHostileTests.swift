import Foundation
import TestSupport
import HearingFitting
import XCTest

@testable import HearingAudio

/// Reads files that were damaged accidentally or intentionally.
///
/// Optimised builds test all damaged files. Debug builds are slow and test a random tenth of them.
/// In optimised builds, the environment variable `WAV_FUZZ_CASES` sets the number of files with
/// random damage.
final class WAVReaderHostileTests: XCTestCase {
  private static let extremes: [UInt32] = [
    0, 1, 2, 3, 7, 8, 15, 16, 17, 18, 40, 255, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x1_0000,
    0x7FFF_EFFF, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_EFFF, 0xFFFF_FFFE,
    0xFFFF_FFFF,
  ]

  /// Each damaged file is tested with a probability of 1 / `stride`.
  private static var stride: Int {
    #if DEBUG
      return 10
    #else
      return 1
    #endif
  }

  private static var mutationCount: Int {
    #if DEBUG
      return 10_000
    #else
      return ProcessInfo.processInfo.environment["WAV_FUZZ_CASES"].flatMap { Int($0) } ?? 100_000
    #endif
  }

  private func seeds() throws -> [[UInt8]] {
    let folder = try XCTUnwrap(
      Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.filter { $0.hasSuffix(".wav") }.map {
      Array(try Data(contentsOf: folder.appendingPathComponent($0)))
    }
  }

  /// Reads `bytes` once as a file and once as a stream. Checks that both results are equal.
  private func check(_ bytes: [UInt8], _ message: @autoclosure () -> String) {
    let whole = outcome(of: MemoryByteSource(bytes), size: bytes.count, message())
    let stream = outcome(of: StreamByteSource(bytes), size: bytes.count, message())
    XCTAssertEqual(whole.frames, stream.frames, message())
    XCTAssertEqual(whole.error, stream.error, message())
  }

  private func outcome(
    of source: some ByteSource, size: Int, _ message: String
  ) -> (frames: Int, error: WAVReadError?) {
    do {
      let reader = try WAVReader(source: source)
      let block = AudioBlock(channelCount: reader.channelCount, capacity: 16)
      var frames = 0
      while try reader.read(into: block) > 0 { frames += block.frameCount }
      XCTAssertLessThanOrEqual(frames * reader.format.bytesPerFrame, size, message)
      XCTAssertEqual(reader.frameCount, frames, message)
      XCTAssertEqual(
        reader.shortfall != nil, reader.declaredFrameCount.map { $0 > frames } ?? false, message)
      return (frames, nil)
    } catch {
      if case .file = error { XCTFail("\(message): \(error)") }
      return (0, error)
    }
  }

  func test_everyHeaderField_setToExtremes_neverTraps() throws {
    var generator = SeededGenerator(seed: SeededGenerator.freshSeed())
    for (index, seed) in try seeds().enumerated() {
      for offset in 0..<min(seed.count - 4, 96) {
        for value in Self.extremes where Int.random(in: 0..<Self.stride, using: &generator) == 0 {
          var bytes = seed
          withUnsafeBytes(of: value.littleEndian) {
            bytes.replaceSubrange(offset..<offset + 4, with: $0)
          }
          check(bytes, "file \(index), \(value) at byte \(offset)")
        }
      }
    }
  }

  func test_fileTruncatedAnywhere_failsOrReadsTheRemainingFrames() throws {
    var generator = SeededGenerator(seed: SeededGenerator.freshSeed())
    for (index, seed) in try seeds().enumerated() {
      for count in 0..<seed.count where Int.random(in: 0..<Self.stride, using: &generator) == 0 {
        check(Array(seed[..<count]), "file \(index), cut to \(count) bytes")
      }
    }
  }

  func test_fuzz_mutatedFiles_neverTrap() throws {
    let seed = SeededGenerator.freshSeed()
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let files = try seeds()
    for round in 0..<Self.mutationCount {
      guard var bytes = files.randomElement(using: &generator) else { return XCTFail("no files") }
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        mutate(&bytes, using: &generator)
      }
      check(bytes, "seed \(seed), round \(round)")
    }
  }

  private func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard bytes.count > 8 else { return }
    let reach = Bool.random(using: &generator) ? min(bytes.count, 100) : bytes.count
    let offset = Int.random(in: 0..<reach - 4, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1:
      bytes[offset] = .random(in: .min ... .max, using: &generator)
    case 2:
      let value = Self.extremes.randomElement(using: &generator) ?? 0
      withUnsafeBytes(of: value.littleEndian) {
        bytes.replaceSubrange(offset..<offset + 4, with: $0)
      }
    case 3:
      bytes.removeSubrange(offset...)
    case 4:
      let codes = ["RIFF", "RF64", "BW64", "WAVE", "fmt ", "data", "ds64", "fact", "LIST"]
      let code = codes.randomElement(using: &generator) ?? ""
      bytes.replaceSubrange(offset..<offset + 4, with: Array(code.utf8))
    default:
      let end = Int.random(in: offset..<reach, using: &generator)
      let part = Array(bytes[offset..<end])
      bytes.insert(contentsOf: part, at: Int.random(in: 0..<reach, using: &generator))
    }
  }
}
