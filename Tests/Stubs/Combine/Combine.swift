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
}
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  public init(_ value: Output) {}
  public final func send(_ input: Output) {}
  public final func send(completion: Subscribers.Completion<Failure>) {}
  public final func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}

public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void
  public init(_ attemptToFulfill: @escaping (@escaping Future<Output, Failure>.Promise) -> Void) {}
  public final func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  public init(createPublisher: @escaping () -> DeferredPublisher) {}
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}
public protocol SchedulerTimeIntervalConvertible { static func seconds(_ s: Int) -> Self }
public protocol Scheduler<SchedulerTimeType> {
  associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  associatedtype SchedulerOptions
  var now: SchedulerTimeType { get }
}
public enum Publishers {
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
  }
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
  }
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
  }
}
extension Publisher {
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> { fatalError() }
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> { fatalError() }
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S> { fatalError() }
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { fatalError() }
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never { fatalError() }
}

// What Foundation adds for it.
public import Dispatch

extension DispatchQueue: Scheduler {
  public struct SchedulerTimeType: Strideable, Sendable {
    public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Sendable {
      public var magnitude: Int
      public init(integerLiteral value: Int) { fatalError() }
      public init?<T: BinaryInteger>(exactly source: T) { nil }
      public static func seconds(_ s: Int) -> Stride { fatalError() }
      public static func < (a: Stride, b: Stride) -> Bool { fatalError() }
      public static func + (a: Stride, b: Stride) -> Stride { fatalError() }
      public static func - (a: Stride, b: Stride) -> Stride { fatalError() }
      public static func * (a: Stride, b: Stride) -> Stride { fatalError() }
      public static func *= (a: inout Stride, b: Stride) {}
    }
    public func distance(to other: SchedulerTimeType) -> Stride { fatalError() }
    public func advanced(by n: Stride) -> SchedulerTimeType { fatalError() }
  }
  public struct SchedulerOptions { }
  public var now: SchedulerTimeType { fatalError() }
}
