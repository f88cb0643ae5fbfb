// swift-format-ignore-file
// A stub of the Combine API that our sources use; see the stub of Foundation. Nothing here runs. Nothing here is Sendable.

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S: Subscriber>(subscriber: S) where Self.Failure == S.Failure, Self.Output == S.Input
}
public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}
public protocol Cancellable { func cancel() }
public protocol Subscription: Cancellable { func request(_ demand: Subscribers.Demand) }
public final class AnyCancellable: Cancellable, Hashable {
  public init(_ cancel: @escaping () -> Void) {}
  public init<C: Cancellable>(_ canceller: C) {}
  public final func cancel() {}
  public final func store(in set: inout Set<AnyCancellable>) {}
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { fatalError() }
  public final func hash(into hasher: inout Hasher) {}
}
public enum Subscribers {
  public struct Demand: Equatable, Sendable { public static let unlimited = Demand(), none = Demand() }
  public enum Completion<Failure: Error> { case finished, failure(Failure) }
}
extension Subscribers.Completion: Sendable where Failure: Sendable {}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
  func send(subscription: any Subscription)
}
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public init(_ value: Output) {}
  public final var value: Output { get { fatalError() } set {} }
  public final func send(_ input: Output) {}
  public final func send(completion: Subscribers.Completion<Failure>) {}
  public final func send(subscription: any Subscription) {}
  public final func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {}
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) {}
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}
public enum Publishers {
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
  }
}
extension Publisher {
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> { fatalError() }
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { fatalError() }
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never { fatalError() }
}
