import Foundation
import HearingProcessing
import XCTest

final class FileParameterStoreTests: TimedTestCase {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("FileParameterStoreTests-\(UUID().uuidString)", isDirectory: true)

  private var directory: URL { root.appendingPathComponent("deep/folder", isDirectory: true) }
  private var store: FileParameterStore { FileParameterStore(directory: directory) }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: root)
  }

  func test_load_ofAKeyThatWasNeverSaved_returnsNil() throws {
    XCTAssertNil(try store.load("session"))
    XCTAssertFalse(FileManager.default.fileExists(atPath: directory.path), "loading makes nothing")
  }

  func test_save_thenLoad_returnsTheSameBytes() throws {
    for data in [Data(), Data([0, 255, 10]), Data("new".utf8)] {
      try store.save(data, for: "session")
      XCTAssertEqual(try store.load("session"), data)
    }
  }

  func test_save_repeatedForOneKey_leavesOneFile() throws {
    for _ in 0..<10 { try store.save(Data("x".utf8), for: "session") }
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    XCTAssertEqual(files, ["session.json"])
  }

  func test_save_duringAConcurrentLoad_isAtomic() throws {
    let contents = [Data(repeating: 1, count: 200_000), Data(repeating: 2, count: 100_000)]
    let store = store
    try store.save(contents[0], for: "session")
    DispatchQueue.concurrentPerform(iterations: 2) { side in
      for step in 0..<200 {
        do {
          if side == 0 {
            try store.save(contents[step % 2], for: "session")
          } else {
            let found = try store.load("session")
            if !contents.contains(where: { $0 == found }) { XCTFail("torn") }
          }
        } catch {
          XCTFail("\(error)")
        }
      }
    }
  }

  func test_keys_withPathCharacters_haveSeparateFilesInsideTheFolder() throws {
    let keys = ["a", "../a", "a/b", "..", ".", "ä", "a b", "%2e", "a.json"]
    for key in keys { try store.save(Data(key.utf8), for: key) }
    for key in keys { XCTAssertEqual(try store.load(key), Data(key.utf8), key) }
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    XCTAssertEqual(files.filter { $0.hasSuffix(".json") }.count, keys.count)
    XCTAssertTrue(files.allSatisfy { $0.hasPrefix("deep") }, "\(files)")
  }

  func test_loadAndSave_withAFileAsTheFolder_fail() throws {
    let file = root.appendingPathComponent("file")
    try Data("x".utf8).write(to: file)
    let store = FileParameterStore(directory: file)
    XCTAssertThrowsError(try store.save(Data(), for: "session"))
    XCTAssertThrowsError(try store.load("session"))
    XCTAssertEqual(try Data(contentsOf: file), Data("x".utf8))
  }

  func test_load_ofAKeyWhoseFileIsAFolder_fails() throws {
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("session.json"), withIntermediateDirectories: true)
    XCTAssertThrowsError(try store.load("session"))
  }

  func test_controllerWithAFileStore_restoresValues_andPreservesACorruptFile() throws {
    let source = PresetDataSource.default(
      DefaultPresetDataSource(fitting: .techLevel(2), profile: HearingProfile(left: .n3)))
    let preset = try Fitting.techLevel(2).preset(for: HearingProfile(left: .n3))
    let controller = ProcessingController(scheduler: ManualScheduler(), store: store)
    let first = try controller.activate(presetDataSource: source)
    first.intensity.apply(0.1)
    first.preset.apply(preset)
    controller.deactivate()
    let second = try controller.activate(presetDataSource: source)
    XCTAssertEqual(second.intensity.value, 0.1)
    XCTAssertEqual(second.preset.value, preset)
    controller.deactivate()

    let file = directory.appendingPathComponent("session.json")
    let saved = try Data(contentsOf: file)
    let torn = saved.prefix(saved.count / 2)
    try torn.write(to: file)
    let third = try controller.activate(presetDataSource: source)
    XCTAssertEqual(third.intensity.value, 1)
    let aside = directory.appendingPathComponent("session-set-aside-1.json")
    XCTAssertEqual(try Data(contentsOf: aside), torn)
    // Activation waits until all earlier values are saved. After that, the test can remove the
    // folder.
    controller.deactivate()
    try controller.activate(presetDataSource: source)
  }

  func test_controllerWithAnUnreadableFolder_reportsTheFailure_andAppliesValues() throws {
    let file = root.appendingPathComponent("file")
    try Data("x".utf8).write(to: file)
    let controller = ProcessingController(
      scheduler: ManualScheduler(), store: FileParameterStore(directory: file))
    let session = try controller.activate(
      presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(1))))
    guard case .loadFailed = controller.storeFailure.value else {
      return XCTFail("\(String(describing: controller.storeFailure.value))")
    }
    XCTAssertEqual(session.intensity.apply(0.5).valueNow, 0.5)
  }
}
