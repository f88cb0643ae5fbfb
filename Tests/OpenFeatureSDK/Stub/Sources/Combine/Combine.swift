// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// The parts of Combine that OpenFeature's signatures name, with the behavior that Apple documents for them, without demand
// and completion: a subscriber takes everything. As in Combine, nothing here is Sendable but what is called from any thread.

public final class AnyCancellable {
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

public struct AnyPublisher<Output, Failure: Error> {
    private let subscribe: (@escaping (Output) -> Void) -> AnyCancellable

    /// Combine makes one of any publisher.
    public init(_ subscribe: @escaping (@escaping (Output) -> Void) -> AnyCancellable) { self.subscribe = subscribe }
}

extension AnyPublisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receiveValue) }
}

/// Runs its closure when it is made, as Combine's does, and keeps the result for every subscriber.
public final class Future<Output, Failure: Error> {
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
}

extension Future where Failure == Never {
    public var value: Output {
        get async {
            await withCheckedContinuation { continuation in
                _ = sink { continuation.resume(returning: $0) }
            }
        }
    }

    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        let ready: Output? = lock.withLock {
            if result == nil { receivers.append(receiveValue) }
            return result
        }
        if let ready { receiveValue(ready) }
        return AnyCancellable {}
    }
}
