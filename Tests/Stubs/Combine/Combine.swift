// swift-format-ignore-file
// A stub of the Combine API that our conditional files use; see the stub of SwiftUI. Nothing here runs.

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}
public protocol Cancellable { func cancel() }
public final class AnyCancellable: Cancellable { public init(_ cancel: @escaping () -> Void) {}; public func cancel() {} }
public protocol Subject<Output, Failure>: AnyObject, Publisher { func send(_ value: Output) }
public enum Subscribers {
  public struct Demand: Equatable, Sendable { public static let unlimited = Demand(), none = Demand() }
  public enum Completion<Failure: Error> { case finished, failure(Failure) }
}
public protocol Subscription: Cancellable { func request(_ demand: Subscribers.Demand) }
public struct AnyPublisher<Output, Failure: Error>: Publisher { public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {} }
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public init(_ value: Output) { fatalError() }
  public final var value: Output { get { fatalError() } set {} }
  public final func send(_ input: Output) {}
}
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) {}
}
public enum Publishers {
  public struct HandleEvents<Upstream: Publisher>: Publisher { public typealias Output = Upstream.Output; public typealias Failure = Upstream.Failure }
}
extension Publisher {
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> { fatalError() }
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never { fatalError() }
}
