internal import Foundation

/// The parameters of a session. Each parameter is one lane of the session's `Kernel`: a value with
/// its applicators and its status.
struct SessionLanes: Sendable {
  let kernel: Kernel
  let preset: LaneAccess<Preset?>
  let presetLoader: RemoteLoader<Preset?>
  let fineTuning: LaneAccess<FineTuning>
  let intensity: LaneAccess<Float>
  let isEnabled: LaneAccess<Bool>
  /// The lane of the whole session. The value of this lane contains the values of all parameters.
  /// Each applicator of this lane receives the values of all parameters together.
  let whole: LaneAccess<SessionValues>
  let interruption: InterruptionSources

  /// - Parameter source: Loads presets.
  init(
    _ start: SessionValues, scheduler: any DeadlineScheduler, tracer: Tracer,
    source: @escaping RemoteLoader<Preset?>.Source
  ) {
    let whole = Lane(
      start, index: nil, trace: (tracer, "session"), amplifies: { $0.isEnabled })
    let makeLastPart: @Sendable ([ValuePart]) -> ValuePart = {
      WholeSessionPart(whole, after: $0)
    }
    // The indices below must be equal to the arguments of `assign` in `SessionValues`.
    let preset = Lane(
      start.preset, index: 0, trace: (tracer, "preset"), write: { $1.preset = $0 })
    let intensity = Lane(
      start.intensity, index: 1, trace: (tracer, "intensity"), write: { $1.intensity = $0 })
    let isEnabled = Lane(
      start.isEnabled, index: 2, trace: (tracer, "isEnabled"),
      write: { $1.isEnabled = $0 }, amplifies: { $0 })
    let fineTuning = Lane(
      start.fineTuning, index: 3, trace: (tracer, "fineTuning"), write: { $1.fineTuning = $0 })
    let interruption = InterruptionSources()
    let kernel = Kernel(scheduler: scheduler, laneCount: 4) {
      let off = SwitchOffPart(isEnabled, interruption)
      return Transaction(.switchOff, lanes: isEnabled.bit, [off, makeLastPart([off])]) { _ in }
    }
    self.kernel = kernel
    self.preset = LaneAccess(kernel: kernel, lane: preset, makeLastPart: makeLastPart)
    self.fineTuning = LaneAccess(kernel: kernel, lane: fineTuning, makeLastPart: makeLastPart)
    self.intensity = LaneAccess(
      kernel: kernel, lane: intensity, validate: SessionValues.isValid(intensity:),
      makeLastPart: makeLastPart)
    self.isEnabled = LaneAccess(
      kernel: kernel, lane: isEnabled, makeLastPart: makeLastPart)
    presetLoader = RemoteLoader(access: self.preset, source: source)
    self.whole = LaneAccess(kernel: kernel, lane: whole)
    self.interruption = interruption
  }

  /// Ends the publishers of all lanes and of the interruptions.
  func finish() {
    preset.lane.finish()
    fineTuning.lane.finish()
    intensity.lane.finish()
    isEnabled.lane.finish()
    whole.lane.finish()
    interruption.finish()
  }

  // MARK: Several parameters together

  /// The maximum number of times that one update calls its closure.
  private static let maximumCalls = 100

  /// Calls `change` with the values that were requested last. Applies the values that `change`
  /// assigns, in one transaction. If another thread requests a value of an assigned parameter
  /// before the transaction is submitted, calls `change` again.
  func update(
    _ change: (inout SessionValues) -> Void
  ) -> ResultPublisher<SessionValues, ParameterError> {
    let result = ResultPublisher<SessionValues, ParameterError>()
    for call in 1...Self.maximumCalls {
      var (values, requests) = kernel.withLock { machine in
        var values = SessionValues()
        for parameter in SessionValues.parameters {
          parameter.readRequested(self, machine, into: &values)
        }
        return (values, machine.lanes.map(\.lastValue))
      }
      let assigned = values.assigned(by: change)
      // In the last call, newer requests of other threads are ignored, so that `change` is not
      // called again.
      if call == Self.maximumCalls { requests = [] }
      if submit(values, assigned, result, after: requests) { break }
      // Other threads may request new values again and again. Without a random pause, a new request
      // could follow each of the 100 calls of `change`.
      Thread.sleep(forTimeInterval: .random(in: 0...1e-5 * Double(call)))
    }
    return result
  }

  /// Submits an update. Returns false if a value of an assigned parameter was requested after
  /// `requests` was read.
  private func submit(
    _ values: SessionValues, _ assigned: UInt64,
    _ result: ResultPublisher<SessionValues, ParameterError>, after requests: [UInt64]
  ) -> Bool {
    var parts: [ValuePart] = []
    do {
      for parameter in SessionValues.parameters {
        try parameter.addPart(to: &parts, assigned, values, self)
      }
    } catch {
      result.settle(.failure(error))
      return true
    }
    let last = WholeSessionPart(whole.lane, after: parts)
    let transaction = Transaction(
      parts.isEmpty ? .maintenance : .values,
      lanes: parts.isEmpty ? kernel.withLock { $0.allLanes } : parts.reduce(0) { $0 | $1.bit },
      parts + [last]
    ) { error in
      result.settle(
        error.map { .failure($0) } ?? .success(last.committed ?? whole.lane.values.value))
    }
    var isCurrent = true
    kernel.run { machine, effects in
      if parts.isEmpty { return machine.submit(transaction, &effects) }
      for (lane, number) in requests.enumerated() where transaction.claims(lane) {
        if machine.lanes[lane].lastValue != number { isCurrent = false }
      }
      if isCurrent { machine.accept(transaction, &effects) }
    }
    return isCurrent
  }

  // MARK: Interruptions

  typealias InterruptionResult = ResultPublisher<Bool, ProcessingError>

  /// Makes `isEnabled` reject values from callers, and applies false to every applicator that may
  /// have applied true.
  func interrupt(
    _ reason: InterruptionReason, note: @escaping (ProcessingError?) -> Void
  ) -> InterruptionResult {
    let (lane, result) = (isEnabled.lane, InterruptionResult())
    let off = SwitchOffPart(lane, interruption, reason: reason)
    let transaction = Transaction(
      .switchOff, lanes: lane.bit, [off, WholeSessionPart(whole.lane, after: [off])]
    ) { error in
      let error = error.map { ProcessingError($0) }
      note(error)
      result.settle(error.map { .failure($0) } ?? .success(true))
    }
    kernel.run { machine, effects in
      machine.interruptions.pending += 1
      machine.refuseValues(lane.index ?? 0, &effects)
      machine.submit(transaction, &effects)
    }
    return result
  }

  /// Resolves one reason of an interruption, or applies a recommended value of `isEnabled`.
  func restore(
    _ purpose: RestorePart.Purpose, note: @escaping (ProcessingError?) -> Void
  ) -> InterruptionResult {
    let (lane, result) = (isEnabled.lane, InterruptionResult())
    let part = RestorePart(lane, interruption, purpose)
    let parts = [part, WholeSessionPart(whole.lane, after: [part])]
    func transaction(_ kind: Transaction.Kind, recovery: [ValuePart]? = nil) -> Transaction {
      Transaction(kind, lanes: lane.bit, parts, recovery: recovery) { error in
        let error = part.refusal ?? error.map { ProcessingError($0) }
        note(error)
        result.settle(error.map { .failure($0) } ?? .success(part.isStillInterrupted))
      }
    }
    kernel.run { machine, effects in
      switch purpose {
      case .resolve:
        let off = SwitchOffPart(lane, interruption)
        let recovery = [off, WholeSessionPart(whole.lane, after: [off])]
        machine.submit(transaction(.restore, recovery: recovery), &effects)
      case .adopt:
        machine.impose(transaction(.maintenance), on: lane.index ?? 0, &effects)
      }
    }
    return result
  }
}
