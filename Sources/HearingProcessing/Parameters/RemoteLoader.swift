/// Loads values for a parameter, and applies the loaded values.
struct RemoteLoader<Value: Equatable & Sendable>: Sendable {
  typealias Publisher = ResultPublisher<Value, ParameterError>

  /// Prepares a load, and returns a closure that loads the value. Each load has a number. The
  /// preparation of a load reads the listener's profile after the load has received its number.
  /// When the profile changes, all loads that receive their number after the change therefore use
  /// the new profile.
  typealias Source = @Sendable () -> @Sendable () async throws -> Value

  let access: LaneAccess<Value>
  let source: Source

  private var kernel: Kernel { access.kernel }
  private var lane: Lane<Value> { access.lane }
  private var index: Int { lane.index ?? 0 }

  /// - Parameter isRecommended: Whether a recommendation source has recommended the reload.
  func reload(isRecommended: Bool = false) -> Publisher {
    let (result, task) = (Publisher(), TaskSlot())
    var number: UInt64?
    kernel.run { machine, effects in
      number = machine.beginLoad(lane, &effects) { error in
        task.cancel()
        result.settle(.failure(error))
      }
      effects.notify(lane.publishStatus(machine.progress(index)))
    }
    guard let number else { return result }
    lane.note(.loadBegan)
    let load = source()
    task.set(
      Task {
        let begin = kernel.scheduler.now
        do {
          let value = try await load()
          lane.note(.loadEnded, ValueBox(value), duration: kernel.scheduler.now - begin)
          end(number, with: value, isRecommended, result)
        } catch {
          lane.note(
            .loadEnded, duration: kernel.scheduler.now - begin, failure: error)
          fail(number, .loadFailed(error), result)
        }
      })
    return result
  }

  /// Ends a running load with the error `superseded`.
  func supersede() {
    kernel.run { machine, effects in
      guard let load = machine.lanes[index].load.take() else { return }
      effects.notify(lane.publishStatus(machine.progress(index)))
      effects.append(.notify { load.end(.superseded) })
    }
  }

  private func end(
    _ number: UInt64, with value: Value, _ isRecommended: Bool, _ result: Publisher
  ) {
    guard access.isValid(value) else { return fail(number, access.invalid(value), result) }
    let transaction = access.transaction(.value(isRecommended: isRecommended), value, result)
    kernel.run { machine, effects in
      let isAccepted = machine.endLoad(index, number: number, with: transaction, &effects)
      // If the loaded value was accepted, the transaction that applies the value publishes the
      // status.
      guard isAccepted == false else { return }
      effects.notify(lane.publishStatus(machine.progress(index)))
    }
  }

  private func fail(_ number: UInt64, _ error: ParameterError, _ result: Publisher) {
    kernel.run { machine, effects in
      guard machine.failLoad(index, number: number) else { return }
      effects.notify(lane.end(lane.current, error, isLoad: true, machine.progress(index)))
      effects.append(.notify { result.settle(.failure(error)) })
    }
  }
}
