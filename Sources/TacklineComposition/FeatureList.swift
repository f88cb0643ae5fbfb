public import Synchronization
public import TacklineCore

/// The flags of the cases of an enum for one loader at a time. A case's flag is found without a lock.
///
/// A ``FlagFeatureCollection`` is an unmanaged pointer to a list and a generation, so copying it counts no references.
/// These invariants make that safe:
///
/// 1. **Lists are never freed.** ``FeatureLists`` keeps a list and uses it again.
/// 2. **A list is for one enum and one set of cases**, and each of its places for one case.
/// 3. **The generation grows when a loader gives the list back**, before any place gets another flag. A reader that
///    finds its own generation after it has read a place has read a flag of that generation.
/// 4. The flag itself is checked by its slot, as every flag is.
@usableFromInline
final class FeatureList<F: FlagFeature>: @unchecked Sendable {
    // Unchecked: `words` is set in `init` and never freed, and the words in it are atomic.

    /// The cases, in the order of `allCases`.
    let features: [F]
    /// The current generation, or 0 in a list of flags without a loader.
    @usableFromInline let generation: Atomic<UInt64>
    /// Two words for each place: the address of the flag's slot, and its tag.
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
    /// The number of features that are found by their bits.
    ///
    /// It is 0 unless every feature has at most two bytes and their bits, read as numbers, are 0, 1, 2 and so on, as
    /// those of enums without payloads are. The bits are the place then.
    @usableFromInline let directCount: Int
    private let places: [F: Int]
    let issueLog = FlagIssueLog()

    init(features: [F], generation: UInt64) {
        self.features = features
        self.generation = Atomic(generation)
        let patterns = features.compactMap { Self.pattern(of: $0) }
        let isDirect = patterns.sorted() == Array(features.indices)
        directCount = isDirect ? features.count : 0
        let numbered = features.enumerated().map { ($0.element, isDirect ? patterns[$0.offset] : $0.offset) }
        places = Dictionary(numbered) { first, _ in first }
        words = .allocate(capacity: max(1, 2 * features.count))
        for index in 0..<(2 * features.count) { unsafe (words + index).initialize(to: Atomic(0)) }
    }

    var currentGeneration: UInt64 { generation.load(ordering: .acquiring) }

    // MARK: Reading

    /// Returns the flag at a place, or `nil` if the generation is over.
    @inlinable @inline(__always)
    func flag(at place: Int, generation: UInt64) -> Flag<F.Value>? {
        let address = unsafe words[2 * place].load(ordering: .acquiring)
        let tag = unsafe words[2 * place + 1].load(ordering: .acquiring)
        // Loaded last. See invariant 3.
        guard self.generation.load(ordering: .acquiring) == generation,
            let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address))
        else { return nil }
        return Flag(slot: unsafe Unmanaged.fromOpaque(pointer), tag: tag)
    }

    /// Returns a feature's flag, or `nil` if `allCases` doesn't have the feature. If the generation is over, the flag
    /// is stale and returns its default.
    func flag(of feature: F, generation: UInt64) -> Flag<F.Value>? {
        guard let place = places[feature] else { return nil }
        return flag(at: place, generation: generation) ?? staleFlag(at: place)
    }

    /// Returns a flag with any slot of the feature and the tag of a generation that no slot has.
    private func staleFlag(at place: Int) -> Flag<F.Value>? {
        let address = unsafe words[2 * place].load(ordering: .acquiring)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        return Flag(
            slot: unsafe Unmanaged.fromOpaque(pointer), tag: FlagSlot.tag(generation: FlagSlot.lastGeneration))
    }

    /// Returns the bits of a feature as a number, or `nil` for a type with more than two bytes or with references.
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

    // MARK: Use by a loader

    /// Puts the flags of a generation in their places.
    func setFlags(_ flags: [Flag<F.Value>]) {
        for (feature, flag) in zip(features, flags) {
            guard let place = places[feature] else { continue }
            unsafe words[2 * place].store(UInt64(UInt(bitPattern: unsafe flag.slot.toOpaque())), ordering: .releasing)
            unsafe words[2 * place + 1].store(flag.tag, ordering: .releasing)
        }
    }
}

extension FeatureList: FlagList {
    func endUse() {
        generation.add(1, ordering: .sequentiallyConsistent)
        FeatureLists.giveBack(self)
    }
}

/// The lists of all enums of the process. They are never freed, in use or not.
enum FeatureLists {
    private struct Lists {
        var all: [any AnyObject & Sendable] = []
        var free: [any AnyObject & Sendable] = []
        /// The lists of collections without a loader.
        var unbound: [any AnyObject & Sendable] = []
    }

    private static let lists = Mutex([ObjectIdentifier: Lists]())

    /// Takes a free list of the given features, or creates one.
    static func take<F: FlagFeature>(_ features: [F]) -> FeatureList<F> {
        let key = ObjectIdentifier(F.self)
        while true {
            // Comparing features runs foreign code, so it isn't done under the lock. The free lists stay in place
            // meanwhile. Otherwise another thread would find none and create one more, which is never freed.
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
        let new = FeatureList(features: features, generation: 1)
        lists.withLock { $0[key, default: Lists()].all.append(new) }
        return new
    }

    static func giveBack<F: FlagFeature>(_ list: FeatureList<F>) {
        lists.withLock { $0[ObjectIdentifier(F.self), default: Lists()].free.append(list) }
    }

    /// Returns the list that all collections without a loader share.
    static func unbound<F: FlagFeature>(_ features: [F], make: () -> FeatureList<F>) -> FeatureList<F> {
        let key = ObjectIdentifier(F.self)
        let known = lists.withLock { $0[key]?.unbound ?? [] }
        for case let list as FeatureList<F> in known where list.features == features { return list }
        let new = make()
        lists.withLock { $0[key, default: Lists()].unbound.append(new) }
        return new
    }
}
