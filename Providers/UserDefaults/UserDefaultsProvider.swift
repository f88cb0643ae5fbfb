import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

// All of Foundation, because FoundationEssentials lacks user defaults.

/// A provider that stores its values in user defaults.
///
/// ```swift
/// let defaults = UserDefaultsProvider(suiteName: "group.com.example.app", prefix: "flags/")
/// ```
///
/// A value is stored under the prefix and the text of its key, as the object that `@AppStorage`, `defaults write` and any
/// other code reads and writes; members of stored dictionaries are found too. A write of a value that user defaults lack,
/// such as `null`, throws. `YES` in a launch argument is a string here and not a Boolean; use `ArgumentsProvider` for launch
/// arguments. A URL is stored as its text, which is not the form in which `@AppStorage` keeps one.
///
/// Each read asks the user defaults, which are in memory. Writes are stored as the platform stores user defaults: on Apple
/// platforms they survive this process immediately, and several processes may write to a suite. On Linux they are in the file
/// when the call returns, and the last process that writes a suite replaces it as a whole. Neither waits for the disk. If
/// values must survive a loss of power, use `LocalProvider`. You can call the provider from any thread.
///
/// On Apple platforms the provider notifies observers when any default changes. Changes by other processes in an App Group are
/// noticed for the keys that were read. On Linux changes by other code can't be detected, so ``observe(_:)`` returns `false`,
/// and a loader asks the provider at each read.
///
/// It is `@unchecked`, because not every version of Foundation declares `UserDefaults` as `Sendable`, although it is documented
/// to be safe from any thread. All other properties are constants, and `writers` is a lock.
public final class UserDefaultsProvider: WritableFlagProvider, @unchecked Sendable {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The suite, or `nil` for the standard user defaults.
    public let suiteName: String?
    /// The prefix of each key.
    public let prefix: String

    /// The user defaults, or `nil` if there are none that can be used.
    private let defaults: UserDefaults?
    /// The observers. It holds no values.
    private let store = FlagProviderStore()
    /// Held during a write. It is recursive, because a write calls foreign observers, which may set another value.
    let writers = NSRecursiveLock()
    /// The listener for changes by other code, or `nil` if they can't be detected.
    private let listener: AnyObject?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - suiteName: A suite or an App Group, or `nil` for the standard user defaults. If the platform refuses the
    ///     name, such as the app's own identifier, ``status`` has an error. The same applies to an App Group
    ///     (`group.…`) for which this process has no entitlement: nothing is read or written then, because no other
    ///     process would share it.
    ///   - prefix: The prefix of each key, which separates flags from other settings.
    public convenience init(name: String = "UserDefaultsProvider", suiteName: String? = nil, prefix: String = "") {
        self.init(name: name, suiteName: suiteName, prefix: prefix) { group in
            // macOS has a path for any name, and platforms other than Apple's have no App Groups.
            #if canImport(Darwin) && !os(macOS)
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) != nil
            #else
                true
            #endif
        }
    }

    init(name: String, suiteName: String?, prefix: String, mayUse: (_ appGroup: String) -> Bool) {
        (self.name, self.suiteName, self.prefix) = (name, suiteName, prefix)
        // Without the entitlement, the system creates user defaults that no other process shares.
        let isUsable = suiteName.map { !$0.hasPrefix("group.") || mayUse($0) } ?? true
        defaults = isUsable ? suiteName.map { UserDefaults(suiteName: $0) } ?? .standard : nil
        #if canImport(ObjectiveC)
            listener = defaults.map { [store] in DefaultsListener($0) { store.announceReset() } }
        #else
            listener = nil
        #endif
    }

    /// Ready, or failed if there is no such suite or if it is an App Group that this process may not use.
    public var status: FlagProviderStatus { defaults == nil ? .failed(noSuite()) : .ready }

    /// Returns the value in the user defaults, or `nil` if there is none. The key is looked up flat and then nested.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let defaults else { return nil }
        #if canImport(ObjectiveC)
            if suiteName?.hasPrefix("group.") == true, let listener = listener as? DefaultsListener {
                names(of: key).forEach { listener.listen(to: prefix + $0) }
            }
        #endif
        return document(of: key, in: defaults).value(for: key)
    }

    /// Adds an observer, which is held weakly. On Linux it returns `false`, because only changes through this provider are
    /// detected there.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) && listener != nil }

    /// Sets the value, or removes it if it is `nil`, in its present flat or nested place.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if there is no usable suite, or if user defaults can't hold the
    ///   value. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        guard let defaults else { throw noSuite(key, value) }
        writers.lock()
        defer { writers.unlock() }
        let old = document(of: key, in: defaults)
        var new = old
        new.setValue(value, for: key)
        var changes: [(name: String, old: Any?, new: Any?)] = []
        do throws(FlagValueError) {
            for name in names(of: key) where old.root[name] != new.root[name] {
                let object = try new.root[name].map(DefaultsValue.object(for:))
                changes.append((prefix + name, defaults.object(forKey: prefix + name), object))
            }
        } catch {
            throw FlagError(
                .unsupportedValue, provider: name, key: key, value: value, reason: "\(error)",
                advice: "Use another value, or keep it in a LocalProvider")
        }
        guard !changes.isEmpty else { return }
        for change in changes { defaults.set(change.new, forKey: change.name) }
        #if !canImport(ObjectiveC)
            guard defaults.synchronize() else {
                for change in changes { defaults.set(change.old, forKey: change.name) }
                throw FlagError(
                    .inputOutput, provider: name, key: key, value: value,
                    reason: "the file of the user defaults could not be written, and nothing has changed",
                    advice: "Make sure that the home folder of this user can be written")
            }
        #endif
        store.announceReset()
    }

    /// Returns the members on which a key's value depends.
    private func document(of key: FlagKeyPath, in defaults: UserDefaults) -> FlagDocument {
        FlagDocument(
            names(of: key).reduce(into: [:]) { root, name in
                root[name] = defaults.object(forKey: prefix + name).flatMap(DefaultsValue.value(of:))
            })
    }

    /// The names of the members on which a key's value depends: its flat key, and the object of its group.
    private func names(of key: FlagKeyPath) -> [String] {
        key.components.count > 1 ? [key.text] + key.components.prefix(1) : [key.text]
    }

    private func noSuite(_ key: FlagKeyPath? = nil, _ value: EncodedFlagValue? = nil) -> FlagError {
        FlagError(
            .inputOutput, provider: name, key: key, value: value,
            reason: "this process can't use user defaults of the suite \"\(suiteName ?? "")\"",
            advice: """
                Give each target that uses an App Group the capability App Groups with this group; name no other suite like \
                the app's identifier
                """)
    }
}

/// The conversion between values and the property list objects that user defaults store.
private enum DefaultsValue {
    /// - Throws: ``/TacklineCore/FlagValueError`` if user defaults can't hold the value.
    static func object(for value: EncodedFlagValue) throws(FlagValueError) -> Any {
        #if canImport(ObjectiveC)
            let bytes = try FlagPropertyList.encode(["value": value], as: .binary)
        #else
            // The file is XML there, which has no fractions of a second.
            let bytes = try FlagPropertyList.encode(["value": value], as: .xml)
            // Foundation would lose these characters in the file.
            let isLossy =
                bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }
                || [">\u{FEFF}", "\u{FFFE}", "\u{FFFF}"].contains { bytes.firstRange(of: $0.utf8) != nil }
            if isLossy {
                let detail = "on this system they lack control characters, and a byte order mark at the start of a text"
                throw FlagValueError(expected: "a value that user defaults can hold", found: value, detail: detail)
            }
        #endif
        let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        guard let object = (list as? [String: Any])?["value"] else {
            throw FlagValueError(expected: "a value that user defaults can hold", found: value)
        }
        return object
    }

    /// - Returns: The value, or `nil` if a flag can't have such a value.
    static func value(of object: Any) -> EncodedFlagValue? {
        switch object {
        case let text as String: return .string(text)
        case let data as Data: return .data(data)
        case let date as Date: return .date(date)
        case let elements as [Any]:
            let values = elements.compactMap(value)
            return values.count == elements.count ? .array(values) : nil
        case let members as [String: Any]:
            let values = members.compactMapValues(value)
            return values.count == members.count ? .object(values) : nil
        case let number as NSNumber:
            // "c" is a Boolean: no property list has an integer of 8 bits.
            switch String(cString: number.objCType) {
            case "c", "B": return .bool(number.boolValue)
            case "f", "d": return .double(number.doubleValue)
            case "Q": return .integer(Int128(number.uint64Value))
            default: return .integer(Int128(number.int64Value))
            }
        default: return nil
        }
    }
}

#if canImport(ObjectiveC)
    /// A listener for changes of user defaults.
    ///
    /// Changes in this process arrive as notifications. Those of an App Group that other processes make arrive only through
    /// key-value observing.
    ///
    /// It is `@unchecked` for the reason that ``UserDefaultsProvider`` names. The names are guarded by a `Mutex`.
    private final class DefaultsListener: NSObject, @unchecked Sendable {
        private let defaults: UserDefaults
        private let onChange: @Sendable () -> Void
        private let names = Mutex<Set<String>>([])

        init(_ defaults: UserDefaults, onChange: @escaping @Sendable () -> Void) {
            (self.defaults, self.onChange) = (defaults, onChange)
            super.init()
            NotificationCenter.default.addObserver(
                self, selector: #selector(defaultsDidChange), name: UserDefaults.didChangeNotification, object: nil)
        }

        deinit {
            NotificationCenter.default.removeObserver(self)
            for name in names.withLock({ $0 }) { defaults.removeObserver(self, forKeyPath: name) }
        }

        /// Observes a name of an App Group.
        ///
        /// A name with a full stop would be treated as a key path. Its changes in other processes are noticed only with the
        /// next change of another name.
        func listen(to name: String) {
            if name.contains(".") || name.hasPrefix("@") || !names.withLock({ $0.insert(name).inserted }) { return }
            defaults.addObserver(self, forKeyPath: name, options: [], context: nil)
        }

        @objc private func defaultsDidChange(_ notification: Notification) { onChange() }

        override func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            onChange()
        }
    }
#endif
