import Synchronization

/// What a ``FlagCollection`` points to, by the rules of ``FlagSlot``: never freed, handed out again under a new number.
///
/// Nothing is read through it but who owns the collection at present.
@usableFromInline
package final class FlagCollectionSlot: Sendable {
    private struct State {
        var life: UInt32
        weak var owner: (any FlagOwner)?
        var ordinal = -1
    }

    private let state: Mutex<State>

    private init(life: UInt32) {
        state = Mutex(State(life: life))
    }

    /// Returns who owns the collection of a life and its number among the owner's collections, or `nil`.
    package func owner(life: UInt32) -> (owner: any FlagOwner, ordinal: Int)? {
        state.withLock { state in
            guard state.life == life, let owner = state.owner else { return nil }
            return (owner, state.ordinal)
        }
    }

    package func bind(to owner: any FlagOwner, ordinal: Int) {
        state.withLock { state in
            state.owner = owner
            state.ordinal = ordinal
        }
    }

    /// The slot for collections that are made by hand, and the ones that are free. They serve for every declaration.
    private static let unbound = FlagCollectionSlot(life: 0)
    private static let free = Mutex<[FlagCollectionSlot]>([])
    /// Keeps every slot alive for good.
    private static let all = Mutex<[FlagCollectionSlot]>([])

    static func take(for declaration: FlagCollectionDeclaration) -> (slot: FlagCollectionSlot, life: UInt32) {
        guard let construction = FlagConstruction.current else { return (unbound, 0) }
        let slot = free.withLock { $0.popLast() } ?? make()
        let life = slot.state.withLock { $0.life }
        construction.add(
            FlagConstruction.Record(
                address: UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()), life: life,
                kind: .collection(declaration), slot: slot),
            home: slot)
        return (slot, life)
    }

    private static func make() -> FlagCollectionSlot {
        let slot = FlagCollectionSlot(life: 1)
        all.withLock { $0.append(slot) }
        return slot
    }
}

extension FlagCollectionSlot: AnyFlagHome {}

extension FlagCollectionSlot: FlagSlotProtocol {
    package func invalidate(life: UInt32) {}

    package func endLife(_ life: UInt32) {
        let ended = state.withLock { state in
            guard state.life == life else { return false }
            state.life &+= 1
            state.owner = nil
            return true
        }
        guard ended, life &+ 1 != UInt32.max else { return }
        FlagCollectionSlot.free.withLock { $0.append(self) }
    }
}
