import Foundation

@testable import HearingProcessing

/// An applicator of the chaos test, and the simulated device behind it. The device answers in a
/// certain manner. It records the value that it accepted before a time-out.
final class ChaosUnit<Value: Equatable & Sendable>: ChaosMember {
  let session: UUID
  private let applicator: ProcessingApplicator<Value>
  private let current: @Sendable () -> Value
  private let device: Device

  /// The way in which a device answers.
  enum Manner: CaseIterable, Sendable {
    case atOnce, twice, later, elsewhere, fails, refuses, never, afterItsTime, drops, leaves
  }

  convenience init(
    _ manner: Manner, in parameter: ProcessingParameter<Value>, of session: UUID,
    synchronizing value: Value? = nil, world: ChaosWorld
  ) {
    self.init(manner, in: parameter.access, of: session, synchronizing: value, world: world)
  }

  convenience init(
    _ manner: Manner, in parameter: RemoteProcessingParameter<Value>, of session: UUID,
    synchronizing value: Value? = nil, world: ChaosWorld
  ) {
    self.init(manner, in: parameter.access, of: session, synchronizing: value, world: world)
  }

  private convenience init(
    _ manner: Manner, in parameter: LaneAccess<Value>, of session: UUID,
    synchronizing value: Value?, world: ChaosWorld
  ) {
    let applicator: ProcessingApplicator<Value>
    if let value {
      let (synchronizing, result) = parameter.makeApplicator(synchronizing: value)
      applicator = synchronizing
      world.ledger.watch(result, "synchronizing \(value)")
    } else {
      applicator = parameter.makeApplicator()
    }
    self.init(manner, applicator, of: session, accepted: value, world: world) {
      parameter.lane.values.value
    }
  }

  /// Creates a device for `applicator`.
  ///
  /// - Parameter current: Returns the value that the applicator must have after synchronization.
  init(
    _ manner: Manner, _ applicator: ProcessingApplicator<Value>, of session: UUID,
    accepted value: Value? = nil, world: ChaosWorld, current: @escaping @Sendable () -> Value
  ) {
    self.session = session
    self.current = current
    self.applicator = applicator
    device = Device(manner, accepted: value)
    switch manner {
    case .never, .afterItsTime: _ = applicator.timeout(0.000_5)
    default: _ = applicator.timeout(600)
    }
    device.applicator.withLock { $0 = Device.Reference(applicator: applicator) }
    _ =
      applicator
      .canApply { [device] _ in device.manner != .refuses }
      .apply { [device, weak world] value, result in
        if let world { device.apply(value, result, in: world) } else { result(.success) }
      }
  }

  func leave() {
    applicator.cancel()
  }

  func behave() {
    device.behave()
  }

  func differenceFromRecord() -> String? {
    let latest = applicator.latestAppliedValue
    let accepted = device.accepted
    if latest == accepted || device.hasLeft { return nil }
    return "\(device.manner): latest \(String(describing: latest)), accepted "
      + String(describing: accepted)
  }

  func differenceFromParameter() -> String? {
    let latest = applicator.latestAppliedValue
    if latest == current() || device.hasLeft { return nil }
    return "\(device.manner): \(String(describing: latest)) is not \(current())"
  }

  /// An object that the closures of the applicator capture. It must not retain the applicator.
  private final class Device: Sendable {
    let applicator = Lock(Reference())
    private let state: Lock<State>

    // This type is Sendable, because the reference is accessed only under the lock that contains
    // it.
    struct Reference: @unchecked Sendable {
      weak var applicator: ProcessingApplicator<Value>?
    }

    private struct State: Sendable {
      var manner: Manner
      var accepted: Value?
      var hasLeft = false
      var overdue: (@Sendable (ApplicationResult) -> Void)?
    }

    init(_ manner: Manner, accepted: Value?) {
      state = Lock(State(manner: manner, accepted: accepted))
    }

    var manner: Manner { state.withLock { $0.manner } }
    var accepted: Value? { state.withLock { $0.accepted } }
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    /// From now on, the device answers every call immediately.
    func behave() {
      let overdue = state.withLock { state in
        state.manner = .atOnce
        return state.overdue.take()
      }
      overdue?(.success)
    }

    func apply(
      _ value: Value, _ result: @escaping @Sendable (ApplicationResult) -> Void,
      in world: ChaosWorld
    ) {
      switch manner {
      case .atOnce, .refuses:
        accept(value, result)
      case .twice:
        accept(value, result)
        result(.failure(ChaosTrouble()))
      case .later:
        world.later { [self] in accept(value, result) }
      case .elsewhere:
        DispatchQueue.global().async { [self] in accept(value, result) }
      case .fails:
        result(.failure(ChaosTrouble()))
      case .never:
        forget(until: result)
      case .afterItsTime:
        // The previous call has already timed out. Therefore the answer to it is late.
        forget(until: result)?(.success)
      case .drops:
        state.withLock { $0.accepted = nil }
      case .leaves:
        // This call is never answered. The applicator is removed instead, so the session continues
        // with the next applicator.
        state.withLock { state in
          state.hasLeft = true
          state.overdue = result
        }
        world.later { [self] in
          let applicator = applicator.withLock { $0.applicator }
          applicator?.cancel()
        }
      }
    }

    private func accept(_ value: Value, _ result: @Sendable (ApplicationResult) -> Void) {
      state.withLock { $0.accepted = value }
      result(.success)
    }

    /// Retains the result handler `result` beyond its time-out. Returns the handler that was
    /// retained before.
    @discardableResult
    private func forget(
      until result: @escaping @Sendable (ApplicationResult) -> Void
    ) -> (@Sendable (ApplicationResult) -> Void)? {
      state.withLock { state in
        let last = state.overdue
        state.overdue = result
        state.accepted = nil
        return last
      }
    }
  }
}

/// A ``ChaosUnit`` without the type of its values.
protocol ChaosMember: AnyObject, Sendable {
  /// The identifier of the session to which the applicator belongs.
  var session: UUID { get }
  /// Removes the applicator from the session.
  func leave()
  /// From now on, the device answers every call immediately.
  func behave()
  func differenceFromRecord() -> String?
  func differenceFromParameter() -> String?
}

struct ChaosTrouble: Error {}
