import Synchronization

/// The lists of all enums of the process. It keeps them for good, in use or not, as ``FlagHome`` keeps slots.
enum FeatureLists {
    private struct Lists {
        /// Keeps every list alive.
        var all: [any AnyObject & Sendable] = []
        var free: [any AnyObject & Sendable] = []
        /// Flags of collections that are made by hand.
        var unbound: [any AnyObject & Sendable] = []
    }

    private static let lists = Mutex<[ObjectIdentifier: Lists]>([:])

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
