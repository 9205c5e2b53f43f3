/// The values of a source as an async sequence that keeps only the newest.
struct CurrentValues<Value: Sendable>: AsyncSequence, Sendable {
  private let origin: Origin

  init(_ source: CurrentValueSource<Value>) {
    origin = Origin(source)
  }

  func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    guard let source = origin.source else {
      continuation.finish()
      return stream.makeAsyncIterator()
    }
    let token = source.sink(finish: { continuation.finish() }) { continuation.yield($0) }
    continuation.onTermination = { _ in token.cancel() }
    return stream.makeAsyncIterator()
  }

  // Sendable because `source` is written in `init` only; reading a weak reference is atomic.
  private final class Origin: @unchecked Sendable {
    weak var source: CurrentValueSource<Value>?

    init(_ source: CurrentValueSource<Value>) {
      self.source = source
    }
  }
}
