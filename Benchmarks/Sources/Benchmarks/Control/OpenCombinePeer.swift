#if canImport(OpenCombine)
  import OpenCombine

  /// Measures the operations of `PublishingBenchmarks` with OpenCombine, in the same run. This code
  /// is built only if the environment variable `OPENCOMBINE` is the path of a checkout of
  /// OpenCombine.
  enum OpenCombinePeer {
    static func run(into table: inout Table) {
      for subscribers in [1, 8, 64] {
        table.add("  OpenCombine: send to \(subscribers)", nil, send(to: subscribers))
      }
      table.add("  OpenCombine: one-shot with Future", nil, oneShot())
      for others in [0, 1_000, 100_000] {
        table.add(
          "  OpenCombine: sink + cancel beside \(others) others", nil, subscribe(beside: others))
      }
    }

    private static func send(to subscribers: Int) -> Measurement {
      let subject = CurrentValueSubject<Int, Never>(0)
      let sum = Sum()
      let tokens = (0..<subscribers).map { _ in subject.sink { sum.add($0) } }
      let sends = 200_000 / subscribers
      defer { keep(tokens) }
      return .nanoseconds(operations: sends) {
        for value in 0..<sends { subject.send(value) }
      }
    }

    private static func oneShot() -> Measurement {
      let sum = Sum()
      return .nanoseconds(operations: 100_000) {
        for value in 0..<100_000 {
          var resolve: ((Result<Int, any Error>) -> Void)?
          let future = Future<Int, any Error> { resolve = $0 }
          let token = future.sink { _ in
            sum.add(1)
          } receiveValue: {
            sum.add($0)
          }
          resolve?(.success(value))
          keep(token)
        }
      }
    }

    private static func subscribe(beside others: Int) -> Measurement {
      let subject = CurrentValueSubject<Int, Never>(0)
      let sum = Sum()
      let tokens = (0..<others).map { _ in subject.sink { sum.add($0) } }
      defer { keep(tokens) }
      return .nanoseconds(operations: others > 10_000 ? 500 : 50_000) {
        for _ in 0..<(others > 10_000 ? 500 : 50_000) { subject.sink { sum.add($0) }.cancel() }
      }
    }
  }
#endif
