import HearingBuffers
import RealTimeProbe
import SignalTestSupport
import XCTest

final class RowTests: XCTestCase {
  func test_filled_setsEveryElement_andFreesItsMemory() {
    var sum: Float = 0
    var used: Int64 = 0
    real_time_probe_start()
    do {
      let row = OwnedRow<Float>.filled(0.5, count: 1_000)
      used = real_time_probe_stop().bytes
      for index in 0..<1_000 { sum += row[index] }
      real_time_probe_start()
    }
    let freed = real_time_probe_stop().bytes
    XCTAssertEqual(sum, 500)
    guard real_time_probe_works() else { return }
    XCTAssertGreaterThanOrEqual(used, 4_000)
    XCTAssertEqual(freed, -used)
  }

  /// A type for tests. It counts how many values of this type exist.
  private struct Counted: ~Copyable {
    final class Tally { var count = 0 }
    let tally: Tally
    let number: Int

    init(_ tally: Tally, _ number: Int) {
      self.tally = tally
      self.number = number
      tally.count += 1
    }

    deinit { tally.count -= 1 }
  }

  func test_elementsWithReferences_areInitializedInOrder_andReleasedWithTheRow() {
    let tally = Counted.Tally()
    do {
      let row = OwnedRow(count: 5) { Counted(tally, 10 * $0) }
      XCTAssertEqual(tally.count, 5)
      for index in 0..<5 { XCTAssertEqual(row[index].number, 10 * index) }
    }
    XCTAssertEqual(tally.count, 0)
    do {
      let row = OwnedRow(Counted(tally, 7))
      XCTAssertEqual(row[0].number, 7)
      XCTAssertEqual(tally.count, 1)
    }
    XCTAssertEqual(tally.count, 0)
  }

  func test_rowFromAnIndex_shiftsTheIndices_andAllowsNegativeIndices() {
    let numbers = OwnedRow<Int>(count: 10) { $0 }
    let later = numbers.from(4)
    XCTAssertEqual(later[0], 4)
    XCTAssertEqual(later[5], 9)
    XCTAssertEqual(later[-4], 0)
    XCTAssertEqual(later.from(-2).from(3)[0], 5)
    later[-1] = 30
    XCTAssertEqual(numbers[3], 30)
    XCTAssertTrue(later.from(-4).isSame(as: numbers.row))
    XCTAssertFalse(later.isSame(as: numbers.row))
  }

  func test_vectors_atAnyIndex_areReadAndWrittenCorrectly() {
    let numbers = OwnedRow<Float>(count: 12) { Float($0) }
    for index in 0...8 {
      let first = Float(index)
      XCTAssertEqual(numbers.float4(at: index), [first, first + 1, first + 2, first + 3])
    }
    for index in 0...4 {
      XCTAssertEqual(numbers.row.float8(at: index).evenHalf[3], Float(index + 6))
    }
    numbers.setFloat4([-1, -2, -3, -4], at: 3)
    XCTAssertEqual((0..<12).map { numbers[$0] }, [0, 1, 2, -1, -2, -3, -4, 7, 8, 9, 10, 11])
  }

  func test_rows_inReleaseBuilds_haveTheSizeOfAPointer() throws {
    guard !Signals.isDebugBuild else { throw XCTSkip("debug builds hold the valid indices") }
    XCTAssertEqual(MemoryLayout<Row<Float>>.size, MemoryLayout<UnsafeMutablePointer<Float>>.size)
  }
}
