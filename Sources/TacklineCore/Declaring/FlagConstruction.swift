import Synchronization

/// What a loader learns while it constructs its collection: each flag and each nested collection reports itself here.
///
/// The loader makes it current for the task in which it calls the collection's `init()`. A flag that is constructed
/// without one is bound to nothing.
package final class FlagConstruction: Sendable {
    /// One flag, as it was constructed.
    package struct FlagRecord: Sendable {
        package let slot: FlagSlot
        package let life: UInt32
        package let declaration: any DeclaredFlag
    }

    /// One nested collection, as it was constructed.
    package struct CollectionRecord: Sendable {
        package let slot: FlagSlot
        package let life: UInt32
        package let declaration: FlagCollectionDeclaration
    }

    /// A place among the flags or among the nested collections.
    package enum Place: Sendable {
        case flag(Int)
        case collection(Int)
    }

    /// Everything that was constructed.
    package struct Result: Sendable {
        package var flags: [FlagRecord] = []
        package var collections: [CollectionRecord] = []
        /// Lists of flags that are no properties, to be ended with the loader.
        package var lists: [any FlagList] = []
        /// All of it in the order of construction, outer collections before what is in them.
        package var order: [Place] = []
        /// The homes of the slots, in the same order.
        package var homes: [FlagHome] = []
        /// Whether the loader has what it needs. What is constructed later is bound to nothing.
        fileprivate var isFinished = false

        /// Identifies what was constructed in the memory of the collection.
        package func address(of place: Place) -> UInt {
            switch place {
            case .flag(let index): flags[index].slot.address
            case .collection(let index): collections[index].slot.address
            }
        }
    }

    private let result: Mutex<Result>
    private let hints: [FlagHome]

    /// - Parameter hints: The homes of the previous construction of the same type; they save looking homes up.
    package init(hints: [FlagHome]) {
        self.hints = hints
        var initial = Result()
        initial.flags.reserveCapacity(hints.count)
        initial.order.reserveCapacity(hints.count)
        initial.homes.reserveCapacity(hints.count)
        result = Mutex(initial)
    }

    /// The construction that the current task is in.
    @TaskLocal package static var current: FlagConstruction?

    /// Returns what was constructed, and ends the construction.
    ///
    /// Tasks that the collection's init started may still see it as current.
    package func finish() -> Result {
        result.withLock { result in
            let finished = result
            result = Result()
            result.isFinished = true
            return finished
        }
    }

    /// Takes a slot for a flag; `nil` once the construction has ended.
    func add(
        _ declaration: any DeclaredFlag,
        at site: FlagSite,
        identity: FlagDefaultIdentity
    ) -> (slot: FlagSlot, life: UInt32)? {
        result.withLock { result in
            guard !result.isFinished else { return nil }
            let index = result.homes.count
            let home = FlagHome.home(
                for: declaration,
                at: site,
                identity: identity,
                hint: index < hints.count ? hints[index] : nil
            )
            let slot = home.takeSlot()
            let life = slot.life
            result.order.append(.flag(result.flags.count))
            result.flags.append(FlagRecord(slot: slot, life: life, declaration: declaration))
            result.homes.append(home)
            return (slot, life)
        }
    }

    /// Notes a list of flags, so that its life ends with the loader's.
    ///
    /// - Returns: `false` once the construction has ended.
    package func add(_ list: any FlagList) -> Bool {
        result.withLock { result in
            guard !result.isFinished else { return false }
            result.lists.append(list)
            return true
        }
    }

    /// Takes a slot for a nested collection; `nil` once the construction has ended.
    package func add(_ declaration: FlagCollectionDeclaration) -> (slot: FlagSlot, life: UInt32)? {
        result.withLock { result in
            guard !result.isFinished else { return nil }
            let index = result.homes.count
            let home = FlagHome.home(
                forCollectionAt: declaration.site,
                hint: index < hints.count ? hints[index] : nil
            )
            let slot = home.takeSlot()
            let life = slot.life
            result.order.append(.collection(result.collections.count))
            result.collections.append(CollectionRecord(slot: slot, life: life, declaration: declaration))
            result.homes.append(home)
            return (slot, life)
        }
    }
}
