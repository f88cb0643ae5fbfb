import Synchronization

/// The slots of one declaration in the source, for all loaders that the process ever makes of it.
///
/// A home is never freed. It hands a slot to each loader and takes it back when the loader goes, so that making and
/// dropping loaders in a loop needs no new memory. Its number is bounded by the source: one for each `@Flag(…)`, type of
/// value and default, and at most ``limitForEachSite`` for a `@Flag(…)` whose default is different each time; from there
/// on, a copy that outlived its loader may give the default of another life.
package final class FlagHome<Value: FlagValue>: Sendable {
    let site: FlagSite
    private let defaultValue: Value
    /// The neutral form of the default; `nil` if it has none.
    private let encodedDefault: EncodedFlagValue?
    private let free = Mutex<[FlagSlot<Value>]>([])
    /// Keeps every slot alive for good, in use or not.
    private let slots = Mutex<[FlagSlot<Value>]>([])

    private init(site: FlagSite, defaultValue: Value) {
        self.site = site
        self.defaultValue = defaultValue
        encodedDefault = FlagHome.encoded(defaultValue)
    }

    /// The slot that answers for collections made by hand. It is never bound, and its life is 0.
    func unboundSlot() -> FlagSlot<Value> {
        slots.withLock { slots in
            if let first = slots.first { return first }
            let slot = FlagSlot(home: self, life: 0)
            slots.append(slot)
            return slot
        }
    }

    /// Takes a slot for a loader. Its life has begun.
    func takeSlot() -> FlagSlot<Value> {
        if let slot = free.withLock({ $0.popLast() }) { return slot }
        _ = unboundSlot()
        return slots.withLock { slots in
            let slot = FlagSlot(home: self, life: 1)
            slots.append(slot)
            return slot
        }
    }

    func takeBack(_ slot: FlagSlot<Value>) {
        free.withLock { $0.append(slot) }
    }

    func reportUnbound() -> Value {
        let issue = FlagIssue(
            .unboundFlag,
            message: """
                The flag declared at \(site) was read before a loader bound it, so it gives its default. Read it \
                through a FlagsLoader of its collection, and not in the collection's init.
                """)
        FlagIssueReporter.current.report(issue)
        return defaultValue
    }

    func reportGone() -> Value {
        let issue = FlagIssue(
            .loaderGone,
            message: """
                The flag declared at \(site) was read after its loader was gone, so it gives its default. Keep the \
                FlagsLoader as long as copies of its flags and collections are used.
                """)
        FlagIssueReporter.current.report(issue)
        return defaultValue
    }

    private func serves(_ value: Value) -> Bool {
        if FlagSlot<Value>.isWord { return Self.bits(value) == Self.bits(defaultValue) }
        if let text = value as? String { return text == defaultValue as? String }
        guard let encodedDefault else { return false }
        return FlagHome.encoded(value) == encodedDefault
    }

    private static func bits(_ value: Value) -> UInt {
        var bits: UInt = 0
        unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.storeBytes(of: value, as: Value.self) }
        return bits
    }

    private static func encoded(_ value: Value) -> EncodedFlagValue? {
        do { return try value.encoded } catch { return nil }
    }
}

extension FlagHome: AnyFlagHome {
    /// Returns the home of a declaration, making it when it is first met.
    ///
    /// - Parameter hint: The home that the previous loader of the same collection used at this place, if any.
    static func home(at site: FlagSite, defaultValue: Value, hint: (any AnyFlagHome)?) -> FlagHome<Value> {
        if let hint = hint as? FlagHome<Value>, hint.site == site, hint.serves(defaultValue) { return hint }
        return FlagHomes.shared.homes.withLock { homes in
            let key = FlagHomes.Key(site: site, type: ObjectIdentifier(Value.self))
            let known = homes[key, default: []].compactMap { $0 as? FlagHome<Value> }
            if let home = known.first(where: { $0.serves(defaultValue) }) { return home }
            if known.count >= FlagHomes.limitForEachSite, let home = known.last { return home }
            let home = FlagHome(site: site, defaultValue: defaultValue)
            homes[key, default: []].append(home)
            return home
        }
    }
}

/// A home of any type of value.
package protocol AnyFlagHome: AnyObject, Sendable {}

/// All homes of the process.
private final class FlagHomes: Sendable {
    struct Key: Hashable {
        let site: FlagSite
        let type: ObjectIdentifier
    }

    static let shared = FlagHomes()
    static let limitForEachSite = 32

    let homes = Mutex<[Key: [any AnyFlagHome]]>([:])
}
