import Foundation
import HearingProcessing
import TestSupport

/// A store in memory. Tests can make it fail. It records its calls.
final class MemoryStore: ParameterStore {
  private let state = Lock(State())
  private let saves = CurrentValueSource(0)
  /// While `isGated` is true, each save waits for this semaphore.
  let gate = DispatchSemaphore(value: 0)

  private struct State: Sendable {
    var data: [String: Data] = [:]
    var loadFailure: Trouble?
    var saveFailure: Trouble?
    var isGated = false
    var duringLoad: (@Sendable () -> Void)?
    var duringSave: (@Sendable () -> Void)?
    var savedOnMain = false
    var saves = 0
  }

  var data: [String: Data] {
    get { state.withLock { $0.data } }
    set { state.withLock { $0.data = newValue } }
  }

  var loadFailure: Trouble? {
    get { state.withLock { $0.loadFailure } }
    set { state.withLock { $0.loadFailure = newValue } }
  }

  var saveFailure: Trouble? {
    get { state.withLock { $0.saveFailure } }
    set { state.withLock { $0.saveFailure = newValue } }
  }

  var isGated: Bool {
    get { state.withLock { $0.isGated } }
    set { state.withLock { $0.isGated = newValue } }
  }

  /// The store calls this closure during each load.
  var duringLoad: (@Sendable () -> Void)? {
    get { state.withLock { $0.duringLoad } }
    set { state.withLock { $0.duringLoad = newValue } }
  }

  /// The store calls this closure during each save.
  var duringSave: (@Sendable () -> Void)? {
    get { state.withLock { $0.duringSave } }
    set { state.withLock { $0.duringSave = newValue } }
  }

  /// The number of saves, including saves that failed.
  var saveCount: Int { state.withLock { $0.saves } }

  var savedOnMainThread: Bool { state.withLock { $0.savedOnMain } }

  /// The data with the key "session" as a JSON object. The result is nil if the data is not an
  /// object.
  var session: [String: any Sendable]? {
    data["session"].flatMap {
      try? JSONSerialization.jsonObject(with: $0) as? [String: any Sendable]
    }
  }

  func load(_ key: String) throws -> Data? {
    duringLoad?()
    if let failure = loadFailure { throw failure }
    return data[key]
  }

  func save(_ data: Data, for key: String) throws {
    if isGated { gate.wait() }
    duringSave?()
    let (failure, count) = state.withLock { state in
      state.saves += 1
      state.savedOnMain = state.savedOnMain || Thread.isMainThread
      if state.saveFailure == nil { state.data[key] = data }
      return (state.saveFailure, state.saves)
    }
    saves.send(count)
    if let failure { throw failure }
  }

  /// Waits until ``saveCount`` is at least `times`.
  func saved(_ times: Int) async {
    for await count in CurrentValuePublisher(saves).values where count >= times { return }
  }
}
