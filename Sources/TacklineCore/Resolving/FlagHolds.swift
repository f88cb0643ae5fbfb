import Synchronization

/// The values of a loader that are held. Safe from any thread.
final class FlagHolds: Sendable {
    let periods = FlagHoldPeriods()
    private let held = Mutex<[Int: any Sendable]>([:])

    /// Returns what is held of a flag in the present period.
    func hold<Value: FlagValue>(of declaration: FlagDeclaration<Value>, _ ordinal: Int) -> FlagHold<Value>? {
        guard declaration.updatePolicy != .live else { return nil }
        let period = periods.current(declaration.updatePolicy)
        guard let hold = held.withLock({ $0[ordinal] }) as? FlagHold<Value> else { return nil }
        return hold.period == period ? hold : nil
    }

    /// Fixes a value, unless another thread was faster.
    ///
    /// - Returns: What is held now; `nil` if the period has ended meanwhile.
    func fix<Value: FlagValue>(
        _ new: FlagHold<Value>, of declaration: FlagDeclaration<Value>, _ ordinal: Int
    ) -> FlagHold<Value>? {
        let (result, replaced) = held.withLock { held -> (FlagHold<Value>?, (any Sendable)?) in
            let period = periods.current(declaration.updatePolicy)
            if let known = held[ordinal] as? FlagHold<Value>, known.period == period { return (known, nil) }
            guard new.period == period else { return (nil, nil) }
            return (new, held.updateValue(new, forKey: ordinal))
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(replaced) {}
        return result
    }

    /// Lets one flag be fixed anew.
    func release(_ ordinal: Int) {
        let released = held.withLock { $0.removeValue(forKey: ordinal) }
        withExtendedLifetime(released) {}
    }
}
