import Synchronization

/// The slots of one declaration in the source, for all loaders that the process ever makes of it.
///
/// A home is never freed. It hands a slot to each loader and takes it back when the loader goes, so that making and
/// dropping loaders in a loop needs no new memory. The number of homes is bounded by the source: one for each `@Flag(…)`,
/// type of value and default, and at most ``limitForEachSite`` for a `@Flag(…)` whose default is different each time;
/// beyond that, a copy that outlived its loader may give the default of another life.
package final class FlagHome: Sendable {
    let site: FlagSite
    /// What is left of the first declaration made here: the type and the default of all. `nil` for collections.
    private let exemplar: (any DeclaredFlag)?
    private let identity: FlagDefaultIdentity?
    private let slots = Mutex(Slots())

    private struct Slots: Sendable {
        /// Keeps every slot alive for good, in use or not.
        var all: [FlagSlot] = []
        var free: [FlagSlot] = []
        /// Answers for collections made by hand. It is never bound, and its life is 0.
        var unbound: FlagSlot?
    }

    /// How many homes a place in the source has at most.
    static let limitForEachSite = 32

    private struct Key: Hashable {
        let site: FlagSite
        /// The type of value; `nil` for collections.
        let type: ObjectIdentifier?
    }

    private static let homes = Mutex<[Key: [FlagHome]]>([:])

    private init(site: FlagSite, exemplar: (any DeclaredFlag)?) {
        self.site = site
        self.exemplar = exemplar
        identity = exemplar?.identity
    }

    /// Returns the home of a declaration, making it when it is first met.
    ///
    /// - Parameter hint: The home that the previous loader of the same collection used at this place, if any.
    static func home(
        for declaration: any DeclaredFlag,
        at site: FlagSite,
        identity: FlagDefaultIdentity,
        hint: FlagHome?
    ) -> FlagHome {
        if let hint, hint.site == site, hint.serves(identity) { return hint }
        return homes.withLock { homes in
            let key = Key(site: site, type: identity.typeID)
            let known = homes[key, default: []]
            if let home = known.first(where: { $0.serves(identity) }) { return home }
            if known.count >= limitForEachSite, let home = known.last { return home }
            let home = FlagHome(site: site, exemplar: declaration.withoutClosures)
            homes[key, default: []].append(home)
            return home
        }
    }

    /// Returns the home of a collection's declaration.
    static func home(forCollectionAt site: FlagSite, hint: FlagHome?) -> FlagHome {
        if let hint, hint.site == site, hint.exemplar == nil { return hint }
        return homes.withLock { homes in
            let key = Key(site: site, type: nil)
            if let home = homes[key]?.first { return home }
            let home = FlagHome(site: site, exemplar: nil)
            homes[key] = [home]
            return home
        }
    }

    private func serves(_ identity: FlagDefaultIdentity) -> Bool {
        self.identity?.isSame(as: identity) ?? false
    }

    // MARK: Slots

    func unboundSlot() -> FlagSlot {
        slots.withLock { slots in
            if let slot = slots.unbound { return slot }
            let slot = FlagSlot(home: self, life: 0)
            slots.unbound = slot
            return slot
        }
    }

    /// Takes a slot for a loader. Its life has begun.
    func takeSlot() -> FlagSlot {
        slots.withLock { slots in
            if let slot = slots.free.popLast() { return slot }
            let slot = FlagSlot(home: self, life: 1)
            slots.all.append(slot)
            return slot
        }
    }

    func takeBack(_ slot: FlagSlot) {
        slots.withLock { $0.free.append(slot) }
    }

    // MARK: Flags without a loader

    /// Reports a read that no loader answers, and returns the default.
    ///
    /// - Parameter wasBound: Whether there was a loader once.
    func reportedDefault<Value: FlagValue>(wasBound: Bool) -> Value {
        // Slots of this home are used for its type only, so the cast is only a check of that rule.
        guard let exemplar = exemplar as? FlagDeclaration<Value> else {
            preconditionFailure("A slot of \(site) was used for \(Value.self).")
        }
        let message =
            wasBound
            ? """
            The flag declared at \(site) was read after its loader was gone, so it gives its default. Keep the \
            FlagsLoader as long as copies of its flags and collections are used.
            """
            : """
            The flag declared at \(site) was read before a loader bound it, so it gives its default. Read it through a \
            FlagsLoader of its collection, and not in the collection's init.
            """
        FlagIssueReporter.current.report(FlagIssue(wasBound ? .loaderGone : .unboundFlag, message: message))
        return exemplar.defaultValue
    }
}
