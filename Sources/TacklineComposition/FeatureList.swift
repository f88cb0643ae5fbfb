public import Synchronization
public import TacklineCore

/// The flags of an enum in one life of a loader, found by its cases without a lock.
///
/// A ``FeatureCollection`` is an unmanaged pointer to a list and the number of a life, so that copying it, and whatever
/// contains it, costs nothing. What makes that safe is what makes ``FlagSlot`` safe:
///
/// 1. **A list is never freed.** ``FeatureLists`` keeps it and hands it out again.
/// 2. **A list is for one enum and one set of cases**, and each of its places for one case.
/// 3. **A life has a number.** When it ends, the number grows, before any place is given another flag. A reader who finds
///    its own number after it has read a place has read the flag of its own life.
/// 4. The flag itself is checked by its slot, as every flag is.
@usableFromInline
final class FeatureList<F: Feature>: @unchecked Sendable {
    // Unchecked: `words` is set in `init`, never freed, and what it points to is atomic.

    /// The cases, in the order of `allCases`.
    let features: [F]
    /// The number of the present life; 0 in a list of flags that belong to no loader.
    @usableFromInline let life: Atomic<UInt64>
    /// Two words for each place: the address of the flag's slot, and its tag.
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
    /// How many features are found by their bits. 0 unless every feature has at most two bytes and their bits, taken as
    /// numbers, are 0, 1, 2 and so on, as those of enums without payloads are. The bits are the place then.
    @usableFromInline let directCount: Int
    /// The place of each feature.
    private let places: [F: Int]

    init(features: [F], life: UInt64) {
        self.features = features
        self.life = Atomic(life)
        let patterns = features.compactMap { Self.pattern(of: $0) }
        let isDirect = patterns.inOrder { $0 } == Array(features.indices)
        directCount = isDirect ? features.count : 0
        let numbered = features.enumerated().map { ($0.element, isDirect ? patterns[$0.offset] : $0.offset) }
        places = Dictionary(numbered) { first, _ in first }
        words = .allocate(capacity: max(1, 2 * features.count))
        for index in 0..<(2 * features.count) { unsafe (words + index).initialize(to: Atomic(0)) }
    }

    /// The number of the present life.
    var currentLife: UInt64 { life.load(ordering: .acquiring) }

    // MARK: Reading

    /// Returns the flag at a place, if the list is still in the life.
    @inlinable @inline(__always)
    func flag(at place: Int, life: UInt64) -> Flag<F.Value>? {
        let address = unsafe words[2 * place].load(ordering: .acquiring)
        let tag = unsafe words[2 * place + 1].load(ordering: .acquiring)
        // Asked last: see invariant 3.
        guard self.life.load(ordering: .acquiring) == life,
            let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address))
        else { return nil }
        return Flag(slot: unsafe Unmanaged.fromOpaque(pointer), tag: tag)
    }

    /// Returns a feature's flag, or one that belongs to no loader any more; `nil` if `allCases` leaves the feature out.
    func flag(of feature: F, life: UInt64) -> Flag<F.Value>? {
        guard let place = places[feature] else { return nil }
        return flag(at: place, life: life) ?? goneFlag(at: place)
    }

    /// Any slot of the feature, with the tag of a life that no slot ever has.
    private func goneFlag(at place: Int) -> Flag<F.Value>? {
        let address = unsafe words[2 * place].load(ordering: .acquiring)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        return Flag(slot: unsafe Unmanaged.fromOpaque(pointer), tag: FlagSlot.tag(life: FlagSlot.lastLife))
    }

    /// The bits of a feature as a number, or `nil` for a type that has more than two bytes or more to it than bits.
    @inlinable @inline(__always)
    static func pattern(of feature: F) -> Int? {
        guard _isPOD(F.self) else { return nil }
        switch MemoryLayout<F>.size {
        case 0: return 0
        case 1: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt8.self)) }
        case 2: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt16.self)) }
        default: return nil
        }
    }

    // MARK: Lives

    /// Puts the flags of a life in their places.
    func setFlags(_ flags: [Flag<F.Value>]) {
        for (feature, flag) in zip(features, flags) {
            guard let place = places[feature] else { continue }
            unsafe words[2 * place].store(UInt64(UInt(bitPattern: unsafe flag.slot.toOpaque())), ordering: .releasing)
            unsafe words[2 * place + 1].store(flag.tag, ordering: .releasing)
        }
    }
}

extension FeatureList: FlagList {
    func endLife() {
        life.add(1, ordering: .sequentiallyConsistent)
        FeatureLists.takeBack(self)
    }
}

/// The lists of all enums of the process. It keeps them for good, in use or not, as ``FlagHome`` keeps slots.
enum FeatureLists {
    private struct Lists {
        /// Keeps every list alive.
        var all: [any AnyObject & Sendable] = []
        var free: [any AnyObject & Sendable] = []
        /// Flags of collections that are made by hand.
        var unbound: [any AnyObject & Sendable] = []
    }

    private static let lists = Mutex([ObjectIdentifier: Lists]())

    /// Returns a list of the given features that nobody uses. Its life has begun.
    static func take<F: Feature>(_ features: [F]) -> FeatureList<F> {
        let key = ObjectIdentifier(F.self)
        while true {
            // Comparing features runs their code, so it is not done under the lock. The free lists stay where others
            // find them meanwhile: who found none would make one more, for good.
            let free = lists.withLock { $0[key]?.free ?? [] }
            let fitting = free.lazy.reversed().compactMap { $0 as? FeatureList<F> }.first { $0.features == features }
            guard let list = fitting else { break }
            let isTaken = lists.withLock { lists in
                guard let place = lists[key]?.free.lastIndex(where: { $0 === list }) else { return false }
                lists[key]?.free.remove(at: place)
                return true
            }
            if isTaken { return list }
        }
        let new = FeatureList(features: features, life: 1)
        lists.withLock { $0[key, default: Lists()].all.append(new) }
        return new
    }

    static func takeBack<F: Feature>(_ list: FeatureList<F>) {
        lists.withLock { $0[ObjectIdentifier(F.self), default: Lists()].free.append(list) }
    }

    /// Returns the list for collections that are made by hand, which all share one.
    static func unbound<F: Feature>(_ features: [F], make: () -> FeatureList<F>) -> FeatureList<F> {
        let key = ObjectIdentifier(F.self)
        let known = lists.withLock { $0[key]?.unbound ?? [] }
        for case let list as FeatureList<F> in known where list.features == features { return list }
        let new = make()
        lists.withLock { $0[key, default: Lists()].unbound.append(new) }
        return new
    }
}
