import Synchronization

/// The slots of one declaration in the source, for all loaders of the process.
///
/// A home is never freed. It gives a slot to each loader and takes it back when the loader is gone, so that making loaders
/// in a loop does not use more and more memory. There is a home for each `@Flag(…)`, type of value and default, but at most
/// ``limitForEachSite`` for a `@Flag(…)` whose default is different each time; beyond that, a copy that outlived its loader
/// may return the default of another one.
package final class FlagHome: Sendable {
    let site: FlagSite
    /// `nil` for collections.
    private let kind: Kind?
    private let slots = Mutex(Slots())

    /// What distinguishes the flags of one home from others of the same place: type and default.
    private struct Kind: Sendable {
        let type: any FlagValue.Type
        let defaultValue: ErasedFlagValue
        /// What defaults that are no words are compared by; `nil` for words, and if encoding throws.
        let encoded: EncodedFlagValue?

        init(_ declaration: FlagDeclaration) {
            type = declaration.valueType
            defaultValue = declaration.defaultValue
            encoded = if case .node = defaultValue { declaration.encode(defaultValue) } else { nil }
        }

        func isSame(as other: Kind) -> Bool {
            guard type == other.type else { return false }
            switch (defaultValue, other.defaultValue) {
            case (.word(let mine), .word(let theirs)): return mine == theirs
            case (.node, .node): return encoded != nil && encoded == other.encoded
            default: return false
            }
        }
    }

    private struct Slots: Sendable {
        /// Keeps every slot alive for good, in use or not.
        var all: [FlagSlot] = []
        var free: [Unmanaged<FlagSlot>] = []
        /// For flags of collections that no loader made. It is never bound, and its life is 0.
        var unbound: FlagSlot?
    }

    /// The maximum number of homes for a place in the source and a type.
    static let limitForEachSite = 32

    private struct Key: Hashable {
        let site: FlagSite
        /// `nil` for collections.
        let type: ObjectIdentifier?
    }

    private static let homes = Mutex([Key: [FlagHome]]())

    private init(site: FlagSite, kind: Kind?) {
        self.site = site
        self.kind = kind
    }

    /// Returns the home of a declaration, making it at first use. May encode the default, so call it outside of every lock.
    ///
    /// - Parameter hint: The home that the previous loader of the same collection used at this place, if any.
    static func home(of declaration: FlagConstruction.Declaration, hint: FlagHome?) -> FlagHome {
        let site = declaration.site
        // Made outside of the lock, since a type's own encoding is foreign code.
        let kind = declaration.flag.map { Kind($0) }
        if let hint, hint.site == site, hint.serves(kind) { return hint }
        return homes.withLock { homes in
            let key = Key(site: site, type: kind.map { ObjectIdentifier($0.type) })
            let known = homes[key] ?? []
            if let home = known.first(where: { $0.serves(kind) }) { return home }
            if known.count >= limitForEachSite, let home = known.last { return home }
            let home = FlagHome(site: site, kind: kind)
            homes[key] = known + [home]
            return home
        }
    }

    /// Whether it is the home of a declaration, as far as that can be told without comparing defaults that are no words.
    /// Calls no foreign code.
    func isPlainlyHome(of declaration: FlagConstruction.Declaration) -> Bool {
        switch declaration {
        case .collection(let collection): return kind == nil && site == collection.site
        case .flag(let flag):
            guard let kind, case .word(let mine) = kind.defaultValue, case .word(let other) = flag.defaultValue else {
                return false
            }
            return mine == other && kind.type == flag.valueType && site == flag.site
        }
    }

    private func serves(_ other: Kind?) -> Bool {
        if let kind, let other { kind.isSame(as: other) } else { kind == nil && other == nil }
    }

    // MARK: Slots

    func unboundSlot() -> FlagSlot {
        slots.withLock { slots in
            let slot = slots.unbound ?? FlagSlot(home: self, life: 0)
            slots.unbound = slot
            return slot
        }
    }

    /// Takes a slot for a loader; it is already in its new life.
    func takeSlot() -> Unmanaged<FlagSlot> {
        slots.withLock { slots in
            if let slot = slots.free.popLast() { return slot }
            let slot = FlagSlot(home: self, life: 1)
            slots.all.append(slot)
            return Unmanaged.passUnretained(slot)
        }
    }

    func takeBack(_ slot: FlagSlot) { slots.withLock { $0.free.append(Unmanaged.passUnretained(slot)) } }

    // MARK: Flags without a loader

    /// Reports a read without a loader, and returns the default.
    ///
    /// - Parameter wasBound: Whether there was a loader once.
    func reportedDefault(wasBound: Bool) -> ErasedFlagValue {
        guard let kind else { preconditionFailure("The slot of the collection at \(site) was read as a flag.") }
        let message =
            wasBound
            ? """
            The flag declared at \(site) was read after its loader was gone, so it returns its default. Keep the \
            FlagsLoader as long as copies of its flags and collections are used.
            """
            : """
            The flag declared at \(site) was read before a loader bound it, so it returns its default. Read it through \
            a FlagsLoader of its collection, and not in the collection's init.
            """
        FlagIssueReporter.current.report(FlagIssue(wasBound ? .loaderGone : .unboundFlag, message: message))
        return kind.defaultValue
    }
}
