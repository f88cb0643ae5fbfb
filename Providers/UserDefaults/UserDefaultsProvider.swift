public import TacklineCore

import Foundation

// All of Foundation, because FoundationEssentials lacks user defaults.

/// A provider that stores its values in user defaults.
///
/// ```swift
/// let defaults = UserDefaultsProvider(suiteName: "group.com.example.app", prefix: "flags/")
/// ```
///
/// A value is stored under the prefix and the text of its key; members of stored dictionaries are found too. Booleans,
/// numbers, strings, data, dates, arrays and dictionaries are the objects that any code reads and writes. A write of a
/// value that user defaults lack, such as `null`, throws. `YES` in a launch argument is a string here and not a Boolean;
/// use `ArgumentsProvider` for launch arguments.
///
/// Each read asks the user defaults, which are in memory. Writes are stored as the platform stores user defaults: on
/// Apple platforms they survive this process immediately, and on Linux they are in the file when the call returns.
/// Neither waits for the disk. If values must survive a loss of power, use `LocalProvider`. You can call the provider
/// from any thread, and several processes may write to a suite: each write keeps what others wrote to other keys, on
/// Linux if all of them write with this provider.
///
/// On Apple platforms the provider notifies observers of changes by others. Changes by other processes in an App Group
/// are noticed for the keys that were read. Changes within 20 ms are compared once. On Linux such changes can't be
/// detected, so ``observe(_:)`` returns `false`, and a loader asks the provider at each read.
public final class UserDefaultsProvider: WritableFlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The suite, or `nil` for the standard user defaults.
    public let suiteName: String?
    /// The prefix of each key.
    public let prefix: String

    private let storage: DefaultsStorage?
    /// The reason why there is no storage, and what to do about it.
    private let problem: (reason: String, advice: String)?
    private let board: DefaultsBoard
    #if canImport(ObjectiveC)
        private let listener: DefaultsListener?
    #endif

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
        self.init(
            name: name, suiteName: suiteName, prefix: prefix, hasContainer: DefaultsSuite.mayUse(appGroup:))
    }

    init(name: String, suiteName: String?, prefix: String, hasContainer: (String) -> Bool) {
        self.name = name
        self.suiteName = suiteName
        self.prefix = prefix
        let found = DefaultsStorage(suiteName: suiteName, prefix: prefix)
        problem = DefaultsSuite.problem(with: suiteName, exists: found != nil, hasContainer: hasContainer)
        let storage = problem == nil ? found : nil
        self.storage = storage
        let board = DefaultsBoard()
        self.board = board
        #if canImport(ObjectiveC)
            listener = storage.map { storage in
                DefaultsListener(storage.defaults) {
                    board.update { key in storage.value(for: key) }
                }
            }
        #endif
    }

    /// Ready, or failed if there is no such suite or if it is an App Group that this process may not use.
    public var status: FlagProviderStatus {
        storage == nil ? .failed(noSuite(key: nil, value: nil)) : .ready
    }

    /// Returns the value in the user defaults, or `nil` if there is none. The key is looked up flat and then nested.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let storage else { return nil }
        learn(key, storage)
        return board.read(key) { storage.value(for: key) }
    }

    /// Adds an observer, which is held weakly.
    ///
    /// - Returns: `true` on Apple platforms. On Linux it returns `false`, because only changes through this provider
    ///   are detected there.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        board.observe(observer)
        #if canImport(ObjectiveC)
            return true
        #else
            return false
        #endif
    }

    /// Sets the value, or removes it if it is `nil`.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if there is no usable suite, or if user defaults can't hold the
    ///   value. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        guard let storage else { throw noSuite(key: key, value: value) }
        learn(key, storage)
        let isKept: Bool
        do throws(FlagValueError) {
            isKept = try storage.setValue(value, for: key)
        } catch {
            throw FlagError(
                .unsupportedValue, provider: name, key: key, value: value, reason: "\(error)",
                advice: "Use another value, or keep it in a LocalProvider")
        }
        guard isKept else {
            throw FlagError(
                .inputOutput,
                provider: name,
                key: key,
                value: value,
                reason: "the file of the user defaults could not be written, and nothing has changed",
                advice: "Make sure that the home folder of this user can be written, and that no other writer is stuck"
            )
        }
        board.update(near: key) { key in storage.value(for: key) }
    }

    private func learn(_ key: FlagKeyPath, _ storage: DefaultsStorage) {
        let isNew = board.learn(key) { storage.value(for: key) }
        #if canImport(ObjectiveC)
            if isNew { listener?.listen(to: storage.names(for: key)) }
        #else
            _ = isNew
        #endif
    }

    private func noSuite(key: FlagKeyPath?, value: EncodedFlagValue?) -> FlagError {
        FlagError(
            .inputOutput,
            provider: name,
            key: key,
            value: value,
            reason: problem?.reason ?? "",
            advice: problem?.advice
        )
    }
}
