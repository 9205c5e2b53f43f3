// The public names of Combine that are used, as in the iOS 18.1 SDK.
public protocol Cancellable { func cancel() }
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}
public protocol Subject<Output, Failure>: Publisher, AnyObject {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
}
public enum Subscribers {
  public enum Completion<Failure: Error> { case finished, failure(Failure) }
}
// Subjects and futures are not Sendable here, because some of the supported SDKs do not declare
// them as Sendable.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public init(_ value: Output) {}
  public func send(_ value: Output) {}
  public func send(completion: Subscribers.Completion<Failure>) {}
}
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void
  public init(_ fulfil: @escaping (@escaping Promise) -> Void) {}
}
@available(*, unavailable) extension CurrentValueSubject: Sendable {}
@available(*, unavailable) extension Future: Sendable {}
public struct Deferred<Deferred: Publisher>: Publisher {
  public typealias Output = Deferred.Output
  public typealias Failure = Deferred.Failure
  public init(createPublisher: @escaping () -> Deferred) {}
}
public struct AnyPublisher<Output, Failure: Error>: Publisher {}
extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }
  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> AnyPublisher<Output, Failure> {
    AnyPublisher()
  }
}
public final class AnyCancellable: Cancellable, Hashable {
  public init<C: Cancellable>(_ canceller: C) {}
  public func cancel() {}
  public func store(in set: inout Set<AnyCancellable>) {}
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { fatalError() }
}
extension Publisher where Output: Equatable {
  public func removeDuplicates() -> AnyPublisher<Output, Failure> { AnyPublisher() }
}
