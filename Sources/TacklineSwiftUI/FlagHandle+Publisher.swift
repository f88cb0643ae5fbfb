#if canImport(Combine)
    public import Combine
    import Dispatch
    import Foundation
    public import TacklineCore

    // Foundation: it knows whether this is the main thread.

    extension FlagHandle {
        /// The current value and then each new one, as a publisher that never fails. It sends on the main actor.
        ///
        /// So a `.sink` that is written in a view or a view controller may touch them. One that subscribes on the main
        /// actor gets the current value before `sink` returns. For another place write `publisher.receive(on:
        /// DispatchQueue.global())`, with a closure that is marked `@Sendable`: in Swift 6 one that is written on the
        /// main actor and is called elsewhere ends the program.
        ///
        /// A subscriber that is slow gets the newest value and not those in between.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred { [self] () -> AnyPublisher<Value, Never> in
                let subject = CurrentValueSubject<Value, Never>(value)
                // Combine's subjects may be sent to from any thread, which their types do not say.
                nonisolated(unsafe) let sink = subject
                // It begins with the current value, which the subject has already.
                let observation = observeValues { @MainActor value in sink.send(value) }
                let publisher = subject.removeDuplicates(by: isSame)
                    .handleEvents(receiveCancel: { observation.cancel() })
                // Elsewhere the current value, too, goes by way of the main actor.
                return Thread.isMainThread
                    ? publisher.eraseToAnyPublisher()
                    : publisher.receive(on: DispatchQueue.main).eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
        }

        private func isSame(_ left: Value, _ right: Value) -> Bool {
            guard let left = try? left.encoded, let right = try? right.encoded else { return false }
            return left == right
        }
    }
#endif
