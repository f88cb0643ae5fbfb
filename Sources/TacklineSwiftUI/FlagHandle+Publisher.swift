#if canImport(Combine)
    public import Combine
    import Synchronization
    public import TacklineCore

    extension FlagHandle {
        /// The current value and then each new one, as a publisher that never fails. It may send from any thread.
        ///
        /// A subscriber that is slow gets the newest value and not those in between.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred { [self] in
                let subject = CurrentValueSubject<Value, Never>(value)
                // Combine's subjects may be sent to from any thread, which their types do not say.
                nonisolated(unsafe) let sink = subject
                let isFirst = FlagFirstValue()
                let observation = observeValues { value in
                    // The subject has the current value already.
                    if !isFirst.isFirst() || !FlagFirstValue.isSame(value, sink.value) { sink.send(value) }
                }
                return subject.handleEvents(receiveCancel: { observation.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    /// Knows whether it was asked before.
    private final class FlagFirstValue: Sendable {
        private let wasAsked = Atomic<Bool>(false)

        func isFirst() -> Bool {
            !wasAsked.exchange(true, ordering: .relaxed)
        }

        static func isSame<Value: FlagValue>(_ left: Value, _ right: Value) -> Bool {
            guard let left = try? left.encoded, let right = try? right.encoded else { return false }
            return left == right
        }
    }
#endif
