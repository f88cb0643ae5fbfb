import Foundation
import TacklineCore

// Foundation, the whole of it: user defaults are a part of it that the smaller module lacks.

/// User defaults as values by key.
///
/// Unchecked, because not every Foundation says of `UserDefaults` what it documents: that it is safe from any thread.
final class DefaultsStorage: @unchecked Sendable {
    let defaults: UserDefaults
    private let prefix: String
    /// Held while a dictionary is read, changed and written. Recursive, because setting a value calls observers of
    /// others, who may set another one.
    private let writers = NSRecursiveLock()

    /// - Returns: `nil` if the platform has no such suite.
    init?(suiteName: String?, prefix: String) {
        guard let defaults = suiteName.map({ UserDefaults(suiteName: $0) }) ?? .standard else { return nil }
        self.defaults = defaults
        self.prefix = prefix
    }

    /// Returns the value for a key, flat first, then nested.
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { document(for: key).value(for: key) }

    /// Returns the members that a key's value depends on.
    private func document(for key: FlagKeyPath) -> FlagDocument {
        var document = FlagDocument()
        for name in FlagDocument.memberNames(for: key) { document.root[name] = member(name) }
        return document
    }

    /// Sets or removes a value, where it stands.
    ///
    /// - Returns: Whether the platform took it. If not, nothing has changed.
    /// - Throws: Why it cannot be held. Nothing has changed then.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagValueError) -> Bool {
        writers.lock()
        defer { writers.unlock() }
        var document = document(for: key)
        let old = document
        document.setValue(value, for: key)
        let changed = FlagDocument.memberNames(for: key).filter { old.root[$0] != document.root[$0] }
        var objects: [String: Any] = [:]
        for name in changed { objects[name] = try document.root[name].map(DefaultsValue.object(for:)) }
        #if canImport(ObjectiveC)
            // The system keeps user defaults also when this process is killed now.
            for name in changed { set(objects[name], name) }
            return true
        #else
            let former = changed.map { ($0, defaults.object(forKey: prefix + storedName($0))) }
            for name in changed { set(objects[name], name) }
            if changed.isEmpty || defaults.synchronize() { return true }
            for (name, object) in former { set(object, name) }
            return false
        #endif
    }

    private func set(_ object: Any?, _ name: String) {
        let name = storedName(name)
        if let object {
            defaults.set(object, forKey: prefix + name)
        } else if defaults.object(forKey: prefix + name) != nil {
            defaults.removeObject(forKey: prefix + name)
        }
    }

    /// Returns the name under which a member is kept.
    ///
    /// Some systems take names that differ only in their Unicode normalization for one when they write, and not when
    /// they read. So a name that isn't in normalization form C is kept as ASCII, unless it is there as it stands.
    private func storedName(_ name: String) -> String {
        let isNormal = name.utf8.elementsEqual(name.precomposedStringWithCanonicalMapping.utf8)
        return isNormal || defaults.object(forKey: prefix + name) != nil ? name : FlagDocument.escapedName(name)
    }

    /// The names in the user defaults on which a key's value depends.
    func names(for key: FlagKeyPath) -> [String] {
        FlagDocument.memberNames(for: key).map { prefix + storedName($0) }
    }

    private func member(_ name: String) -> EncodedFlagValue? {
        defaults.object(forKey: prefix + storedName(name)).flatMap(DefaultsValue.value(of:))
    }
}
