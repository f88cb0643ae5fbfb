import Foundation
import TacklineCore

// All of Foundation, because FoundationEssentials lacks user defaults.

/// User defaults as values by key.
///
/// It is `@unchecked`, because not every version of Foundation declares `UserDefaults` as `Sendable`, although it is
/// documented to be safe from any thread. All other properties are constants, and `writers` is a lock.
final class DefaultsStorage: @unchecked Sendable {
    let defaults: UserDefaults
    private let prefix: String
    /// Held while a dictionary is read, changed and written. It is recursive, because setting a value calls foreign
    /// observers, which may set another value.
    private let writers = NSRecursiveLock()

    /// - Returns: `nil` if the platform has no such suite.
    init?(suiteName: String?, prefix: String) {
        guard let defaults = suiteName.map({ UserDefaults(suiteName: $0) }) ?? .standard else { return nil }
        self.defaults = defaults
        self.prefix = prefix
    }

    /// Returns the value for a key, which is looked up flat and then nested.
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { document(for: key).value(for: key) }

    /// Returns the members that a key's value depends on.
    private func document(for key: FlagKeyPath) -> FlagDocument {
        var document = FlagDocument()
        for name in memberNames(for: key) { document.root[name] = member(name) }
        return document
    }

    /// Sets or removes a value, in its present flat or nested place.
    ///
    /// - Returns: Whether the value was stored. If not, nothing has changed.
    /// - Throws: ``/TacklineCore/FlagValueError`` if user defaults can't hold the value. Nothing has changed then.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagValueError) -> Bool {
        writers.lock()
        defer { writers.unlock() }
        #if !canImport(ObjectiveC)
            guard let lock = DefaultsLock() else { return false }
            defer { extendLifetime(lock) }
            // Reads what other processes have written. Otherwise, the file would be written from this process's memory.
            _ = defaults.synchronize()
        #endif
        var document = document(for: key)
        let old = document
        document.setValue(value, for: key)
        let changed = memberNames(for: key).filter { old.root[$0] != document.root[$0] }
        var objects: [String: Any] = [:]
        for name in changed { objects[name] = try document.root[name].map(DefaultsValue.object(for:)) }
        #if canImport(ObjectiveC)
            // The system keeps user defaults even if this process is killed now.
            for name in changed { set(objects[name], name) }
            return true
        #else
            let former = changed.map { ($0, defaults.object(forKey: prefix + $0)) }
            for name in changed { set(objects[name], name) }
            if changed.isEmpty || defaults.synchronize() { return true }
            for (name, object) in former { set(object, name) }
            return false
        #endif
    }

    private func set(_ object: Any?, _ name: String) {
        if let object {
            defaults.set(object, forKey: prefix + name)
        } else if defaults.object(forKey: prefix + name) != nil {
            defaults.removeObject(forKey: prefix + name)
        }
    }

    /// Returns the names of the members on which a key's value depends: its flat key, and the object of its group.
    private func memberNames(for key: FlagKeyPath) -> [String] {
        key.components.count > 1 ? [key.text] + key.components.prefix(1) : [key.text]
    }

    /// Returns the names in the user defaults on which a key's value depends.
    func names(for key: FlagKeyPath) -> [String] {
        memberNames(for: key).map { prefix + $0 }
    }

    private func member(_ name: String) -> EncodedFlagValue? {
        defaults.object(forKey: prefix + name).flatMap(DefaultsValue.value(of:))
    }
}
