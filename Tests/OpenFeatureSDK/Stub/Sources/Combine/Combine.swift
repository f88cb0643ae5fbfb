// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Dispatch
import Foundation

// The parts of Combine that OpenFeature's signatures name, with the behavior that Apple documents for them, without demand
// and completion: a subscriber takes everything. As in Combine, nothing here is Sendable but what is called from any thread.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// In Combine this is `receive(subscriber:)`.
    func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable
}

public protocol Cancellable {
    func cancel()
}

public final class AnyCancellable: Cancellable {
    private let lock = NSLock()
    private var handler: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { handler = cancel }

    deinit { cancel() }

    public func cancel() {
        let handler: (() -> Void)? = lock.withLock {
            defer { self.handler = nil }
            return self.handler
        }
        handler?()
    }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(subscribe) }

    public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> {
        AnyPublisher { receive in self.subscribe { receive(transform($0)) } }
    }

    public func receive(on queue: DispatchQueue) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receive in
            let state = Cancelled()
            let upstream = self.subscribe { value in
                queue.async { if !state.isCancelled { receive(value) } }
            }
            return AnyCancellable {
                state.isCancelled = true
                upstream.cancel()
            }
        }
    }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receiveValue) }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    public func switchToLatest() -> AnyPublisher<Output.Output, Failure> {
        AnyPublisher { receive in
            let inner = Latest()
            let outer = self.subscribe { publisher in
                inner.replace(with: nil)
                inner.replace(with: publisher.subscribe(receive))
            }
            return AnyCancellable {
                outer.cancel()
                inner.replace(with: nil)
            }
        }
    }
}

private final class Cancelled {
    private let lock = NSLock()
    private var value = false

    var isCancelled: Bool {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}

private final class Latest {
    private let lock = NSLock()
    private var current: AnyCancellable?

    func replace(with new: AnyCancellable?) {
        let old: AnyCancellable? = lock.withLock {
            defer { current = new }
            return current
        }
        old?.cancel()
    }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let add: (@escaping (Output) -> Void) -> AnyCancellable

    init(_ add: @escaping (@escaping (Output) -> Void) -> AnyCancellable) { self.add = add }

    public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable { add(receive) }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public init() {}

    public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable {} }
}

public final class PassthroughSubject<Output, Failure: Error>: Publisher {
    private let lock = NSLock()
    private var receivers: [Int: (Output) -> Void] = [:]
    private var number = 0

    public init() {}

    public func send(_ value: Output) {
        let receivers = lock.withLock { self.receivers.sorted { $0.key < $1.key } }
        for receiver in receivers { receiver.value(value) }
    }

    public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        let place: Int = lock.withLock {
            number += 1
            receivers[number] = receive
            return number
        }
        return AnyCancellable { [weak self] in
            _ = self?.lock.withLock { self?.receivers.removeValue(forKey: place) }
        }
    }
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
    private let lock = NSLock()
    private let changes = PassthroughSubject<Output, Failure>()
    private var current: Output

    public init(_ value: Output) { current = value }

    public var value: Output { lock.withLock { current } }

    public func send(_ value: Output) {
        lock.withLock { current = value }
        changes.send(value)
    }

    public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        receive(value)
        return changes.subscribe(receive)
    }
}

/// Runs its closure when it is made, as Combine's does, and keeps the result for every subscriber.
public final class Future<Output, Failure: Error>: Publisher {
    public typealias Promise = (Result<Output, Failure>) -> Void

    private let lock = NSLock()
    private var result: Output?
    private var receivers: [(Output) -> Void] = []

    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { result in
            guard case .success(let output) = result else { return }
            let receivers: [(Output) -> Void] = self.lock.withLock {
                guard self.result == nil else { return [] }
                self.result = output
                defer { self.receivers = [] }
                return self.receivers
            }
            for receive in receivers { receive(output) }
        }
    }

    public func subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        let ready: Output? = lock.withLock {
            if result == nil { receivers.append(receive) }
            return result
        }
        if let ready { receive(ready) }
        return AnyCancellable {}
    }
}

extension Future where Failure == Never {
    public var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                _ = subscribe { continuation.resume(returning: $0) }
            }
        }
    }
}
