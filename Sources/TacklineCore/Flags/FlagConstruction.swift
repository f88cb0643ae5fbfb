import Synchronization

/// What a loader learns while it constructs its collection: each flag and each nested collection reports itself here.
///
/// The loader makes it current for the task in which it calls the collection's `init()`. A flag that is constructed
/// without one is bound to nothing.
package final class FlagConstruction: Sendable {
    /// One flag or nested collection, as it was constructed.
    package struct Record: Sendable {
        package enum Kind: Sendable {
            case flag(any FlagDeclarationProtocol)
            case collection(FlagCollectionDeclaration)
        }

        /// Identifies the record in the memory of the collection: the address of its slot.
        package let address: UInt
        package let life: UInt32
        package let kind: Kind
        package let slot: any FlagSlotProtocol
    }

    private struct State {
        var records: [Record] = []
        var homes: [any AnyFlagHome] = []
    }

    private let state: Mutex<State>
    private let hints: [any AnyFlagHome]

    /// - Parameter hints: The ``homes`` of the previous construction of the same type; they save looking homes up.
    package init(hints: [any AnyFlagHome]) {
        self.hints = hints
        var initial = State()
        initial.records.reserveCapacity(hints.count)
        initial.homes.reserveCapacity(hints.count)
        state = Mutex(initial)
    }

    /// The construction that the current task is in.
    @TaskLocal package static var current: FlagConstruction?

    /// What was constructed so far, in that order.
    package var records: [Record] { state.withLock { $0.records } }

    /// The homes of what was constructed so far.
    package var homes: [any AnyFlagHome] { state.withLock { $0.homes } }

    func hint() -> (any AnyFlagHome)? {
        let index = state.withLock { $0.homes.count }
        return index < hints.count ? hints[index] : nil
    }

    func add(_ record: Record, home: any AnyFlagHome) {
        state.withLock { state in
            state.records.append(record)
            state.homes.append(home)
        }
    }
}
