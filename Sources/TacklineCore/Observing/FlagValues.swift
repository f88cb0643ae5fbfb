/// The current value of a flag, then each distinct new one: `for await isOn in loader.$allowsSSON.values`.
///
/// A consumer that is slow gets the newest value and not those in between, so it needs no memory and never ends on a
/// stale one. An unchanged value is not repeated. Each consumer has its own first element. The iteration never ends by
/// itself; cancel its task. In a scope of `withFlags` the values are those of the scope.
///
/// A computed flag is looked at whenever a value of its loader may have changed. A flag behind a provider that cannot
/// tell changes is looked at when the chain, the default or another provider's value changes, and after a write through
/// its handle.
public struct FlagValues<Value: FlagValue>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value
    /// It never fails.
    public typealias Failure = Never

    let handle: FlagHandle<Value>

    /// Begins with the current value.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: FlagValueFollower(handle))
    }

    /// Hands the values of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let follower: FlagValueFollower<Value>
        var last: FlagValueFollower<Value>.Last = .none

        /// Waits for the next value; `nil` once the task is cancelled, or after the first one if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await follower.next(after: &last)
        }
    }
}

/// Counts as a listener of a flag for as long as it lives.
final class FlagValueFollower<Value: FlagValue>: Sendable {
    /// What was handed out last.
    enum Last: Sendable {
        case none
        /// `nil` if it had no neutral form.
        case value(EncodedFlagValue?)
    }

    private let handle: FlagHandle<Value>
    private let signal = FlagSignal()

    init(_ handle: FlagHandle<Value>) {
        self.handle = handle
        (handle.owner as? LoadedFlags)?.invalidator.queue.add(signal, for: interest, follows: false)
    }

    deinit {
        (handle.owner as? LoadedFlags)?.invalidator.queue.remove(signal, for: interest, follows: false)
    }

    private var interest: FlagChangeQueue.Interest {
        handle.declaration?.isComputed == true ? .any : .flag(handle.ordinal)
    }

    func next(after last: inout Last) async -> Value? {
        while !Task.isCancelled {
            // Cleared before the look, so that what happens after the look is not slept through.
            signal.clear()
            let value = handle.value
            let encoded = try? value.encoded
            switch last {
            case .value(let old) where old == encoded && encoded != nil: break
            case .value where handle.owner == nil: return nil
            default:
                last = .value(encoded)
                return value
            }
            if handle.owner == nil { return nil }
            await signal.wait()
        }
        return nil
    }
}

extension FlagHandle {
    /// The current value and then each new one.
    public var values: FlagValues<Value> { FlagValues(handle: self) }
}
