import AllocationCount
import HearingProcessing

/// The cost of applying values to parameters, and the memory of an idle parameter.
enum ParameterBenchmarks {
  static func run(into table: inout Table) {
    table.add("apply, 1 applicator, 1 subscriber, result ignored", 4_000, apply())
    for applicators in [200, 1_000, 100_000] {
      table.add(
        "apply with \(applicators) applicators, per applicator", 600,
        apply(with: applicators).divided(by: applicators))
    }
    table.add("update of 3 parameters, 3 applicators", 8_000, update(applicators: 3))
    table.add("update of 3 parameters, no applicator", nil, update(applicators: 0))
    table.add("read the value of a parameter", nil, read())
    table.add("restart a debounce, with the result", nil, debounce())
    table.add("an idle parameter, bytes", 2_048, idleBytes())
  }

  private static func apply() -> Measurement {
    let parameter = ProcessingParameter<Float>(0, scheduler: DispatchScheduler())
    let applicator = parameter.applicator().apply { _, result in result(.success) }
    let sum = Sum()
    let token = parameter.$value.sink { sum.add(Int($0)) }
    defer { keep((applicator, token)) }
    return .nanoseconds(operations: 50_000) {
      for value in 0..<50_000 { parameter.apply(Float(value)) }
    }
  }

  private static func apply(with count: Int) -> Measurement {
    let parameter = ProcessingParameter<Float>(0, scheduler: DispatchScheduler())
    let applicators = (0..<count).map { _ in
      parameter.applicator().canApply { _ in true }.apply { _, result in result(.success) }
    }
    defer { keep(applicators) }
    let sequences = 200_000 / count
    var value: Float = 0
    return .nanoseconds(rounds: 7, operations: sequences) {
      for _ in 0..<sequences {
        value += 1
        parameter.apply(value)
      }
    }
  }

  private static func update(applicators count: Int) -> Measurement {
    let source = DefaultPresetDataSource(fitting: .techLevel(1))
    guard
      let session = try? ProcessingController().activate(presetDataSource: .default(source)),
      let preset = try? Fitting.techLevel(1).preset(for: HearingProfile(left: .n2)),
      let other = try? Fitting.techLevel(1).preset(for: HearingProfile(left: .n3))
    else { preconditionFailure("the session or its presets cannot be made") }
    let applicators = Set<AnyApplicator>(
      [
        AnyApplicator(session.preset.applicator { _, result in result(.success) }),
        AnyApplicator(session.intensity.applicator { _, result in result(.success) }),
        AnyApplicator(session.isEnabled.applicator { _, result in result(.success) }),
      ].prefix(count))
    defer { keep((session, applicators)) }
    let wanted = [
      SessionValues(isEnabled: false, intensity: 0.25, preset: preset),
      SessionValues(isEnabled: true, intensity: 0.5, preset: other),
    ]
    return .nanoseconds(operations: 20_000) {
      for round in 0..<20_000 { session.update { $0 = wanted[round & 1] } }
    }
  }

  private static func debounce() -> Measurement {
    let parameter = ProcessingParameter<Float>(0, scheduler: DispatchScheduler())
    parameter.deliveryMode = .discrete(seconds: 30)
    let cost = Measurement.nanoseconds(operations: 50_000) {
      for value in 0..<50_000 { parameter.apply(Float(value)) }
    }
    parameter.flush()
    return cost
  }

  private static func read() -> Measurement {
    let parameter = ProcessingParameter<Float>(0, scheduler: DispatchScheduler())
    let sum = Sum()
    return .nanoseconds(operations: 200_000) {
      for _ in 0..<200_000 { sum.add(Int(parameter.value)) }
    }
  }

  private static func idleBytes() -> Measurement {
    let before = allocated_bytes()
    let parameters = (0..<1_000).map { ProcessingParameter<Float>(Float($0)) }
    let bytes = Double(allocated_bytes() - before) / 1_000
    keep(parameters)
    return Measurement(best: bytes, median: bytes, allocations: .nan)
  }
}
