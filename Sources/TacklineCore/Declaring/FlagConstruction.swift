import Synchronization

/// Records the flags and nested collections that are made while a loader makes its collection.
///
/// The loader makes it current for the task in which it calls the collection's `init()`. A flag that is made without a
/// current construction stays unbound.
package final class FlagConstruction: Sendable {
    package enum Declaration: Sendable {
        case flag(FlagDeclaration)
        case collection(FlagCollectionDeclaration)

        var flag: FlagDeclaration? { if case .flag(let flag) = self { flag } else { nil } }

        var site: FlagSite {
            switch self {
            case .flag(let flag): flag.site
            case .collection(let collection): collection.site
            }
        }

    }

    /// A flag or a nested collection, and the slot that was taken for it.
    package struct Record: Sendable {
        /// Slots are never freed, so nothing here counts references to them.
        package let slot: Unmanaged<FlagSlot>
        package let life: UInt32
        package let declaration: Declaration
    }

    private struct State: Sendable {
        /// In the order of construction, each collection before its members.
        var records: [Record] = []
        var lists: [any FlagList] = []
        var hasListedFlags = false
        /// Whether ``finish()`` was called. Flags made later stay unbound.
        var isFinished = false

        mutating func takeSlot(of home: FlagHome, for declaration: Declaration) -> TakenSlot? {
            guard !isFinished else { return nil }
            let slot = home.takeSlot()
            // Reflection finds the slot, and by this number its record.
            let place = records.count
            let life = slot._withUnsafeGuaranteedRef { slot in
                slot.number.store(place, ordering: .relaxed)
                return slot.life
            }
            records.append(Record(slot: slot, life: life, declaration: declaration))
            return (slot, life)
        }
    }

    private let state: Mutex<State>
    private let hints: [FlagHome]

    /// - Parameter hints: The homes that the previous construction of the same collection used, which saves looking them up.
    package init(hints: [FlagHome]) {
        self.hints = hints
        var initial = State()
        initial.records.reserveCapacity(hints.count)
        state = Mutex(initial)
    }

    @TaskLocal package static var current: FlagConstruction?

    /// Ends the construction and returns what it recorded.
    ///
    /// Tasks that the collection's `init()` started may still see it as current, and then record nothing.
    package func finish() -> (records: [Record], lists: [any FlagList], hasListedFlags: Bool) {
        state.withLock { state in
            defer { state = State(isFinished: true) }
            return (state.records, state.lists, state.hasListedFlags)
        }
    }

    /// Notes that a ``ListedFlagCollection`` was made. Where none was, nobody has to look for one.
    package func noteListedFlags() { state.withLock { $0.hasListedFlags = true } }

    /// Returns the slot for a declaration and the tag of its flags: a slot taken for the current loader, or without one the
    /// slot that unbound flags share.
    static func slot(for declaration: Declaration) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        if let (slot, life) = current?.add(declaration) { return (slot, FlagSlot.tag(life: life)) }
        let slot = FlagHome.home(of: declaration, hint: nil).unboundSlot()
        return (Unmanaged.passUnretained(slot), FlagSlot.tag(life: 0))
    }

    private typealias TakenSlot = (Unmanaged<FlagSlot>, life: UInt32)

    private func add(_ declaration: Declaration) -> TakenSlot? {
        var hint: FlagHome?
        let taken = state.withLock { state -> TakenSlot? in
            hint = state.records.count < hints.count ? hints[state.records.count] : nil
            guard let hint, hint.isPlainlyHome(of: declaration) else { return nil }
            return state.takeSlot(of: hint, for: declaration)
        }
        if let taken { return taken }
        let home = FlagHome.home(of: declaration, hint: hint)
        return state.withLock { $0.takeSlot(of: home, for: declaration) }
    }

    /// Adds a list of flags, whose life then ends with the loader's.
    ///
    /// - Returns: `false` once the construction has ended.
    package func add(_ list: any FlagList) -> Bool {
        state.withLock { state in
            guard !state.isFinished else { return false }
            state.lists.append(list)
            state.hasListedFlags = true
            return true
        }
    }
}

/// Flags that are not properties, such as those of the cases of an enum. Like a ``FlagSlot`` a list is never freed, and has
/// lives.
package protocol FlagList: AnyObject, Sendable {
    /// Ends the present life: copies made in it no longer match, and the list can be used again.
    func endLife()
}
