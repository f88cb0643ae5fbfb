public import TacklineCore

import Foundation

// Foundation, the whole of it: user defaults are a part of it that the smaller module lacks.

/// A provider whose values are kept in user defaults.
///
/// ```swift
/// let defaults = UserDefaultsProvider(suiteName: "group.com.example.app", prefix: "flags/")
/// ```
///
/// A value stands under the prefix and the text of its key; members of stored dictionaries are found too. Booleans,
/// numbers, strings, data, dates, arrays and dictionaries are the objects that any code reads and writes; what user
/// defaults lack, such as `null`, is a string as ``/TacklineFormats/FlagPropertyListWriter`` describes. `YES` of a launch
/// argument is a string here and no Boolean; that is the business of `ArgumentsProvider`.
///
/// Reads ask the user defaults each time, which is memory. Writes are kept as the platform keeps user defaults: on
/// Apple systems they survive this process at once, on Linux they are in the file when the call returns; neither waits
/// for the disk. Where a loss of power matters, or files have several writers, use `LocalProvider`. Safe from any
/// thread.
///
/// On Apple systems changes by others are announced, those of other processes in an App Group for the keys that were
/// asked for; what changes within 20 ms is looked at once. On Linux nobody tells them, so ``observe(_:)`` says that it cannot, and a loader asks at each read.
public final class UserDefaultsProvider: WritableFlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// The suite, or `nil` for the standard user defaults.
    public let suiteName: String?
    /// What stands before each key.
    public let prefix: String

    private let storage: DefaultsStorage?
    /// Why there is no storage.
    private let problem: (reason: String, advice: String)?
    private let board: DefaultsBoard
    #if canImport(ObjectiveC)
        private let listener: DefaultsListener?
    #endif

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - suiteName: A suite or an App Group; `nil` for the standard user defaults. One that the platform refuses,
    ///     such as the app's own identifier, shows in ``status``, and so does an App Group (`group.…`) for which this
    ///     process has no entitlement: nothing is read or written then, since nobody would share it.
    ///   - prefix: What stands before each key, so that flags stay apart from other settings.
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

    /// Ready, or failed if there is no such suite, or it is an App Group that this process may not use.
    public var status: FlagProviderStatus {
        storage == nil ? .failed(noSuite(key: nil, value: nil)) : .ready
    }

    /// Returns the value in the user defaults, looked up flat and then nested; `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let storage else { return nil }
        learn(key, storage)
        return board.read(key) { storage.value(for: key) }
    }

    /// Adds an observer, which is held weakly.
    ///
    /// - Returns: `true` on Apple systems. On Linux it returns `false`, because only changes through this provider are
    ///   announced there.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        board.observe(observer)
        #if canImport(ObjectiveC)
            return true
        #else
            return false
        #endif
    }

    /// Sets the value, or removes it with `nil`.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if there is no usable suite, or user defaults cannot hold the value.
    ///   Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        guard let storage else { throw noSuite(key: key, value: value) }
        learn(key, storage)
        let isKept: Bool
        do throws(FlagValueError) {
            isKept = try storage.setValue(value, for: key)
        } catch {
            throw FlagProviderError(.unsupportedValue, provider: name, key: key, value: value, reason: "\(error)")
        }
        guard isKept else {
            throw FlagProviderError(
                .inputOutput,
                provider: name,
                key: key,
                value: value,
                reason: "the file of the user defaults could not be written, and nothing has changed",
                advice: "Make sure that the home folder of this user can be written"
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

    private func noSuite(key: FlagKeyPath?, value: EncodedFlagValue?) -> FlagProviderError {
        FlagProviderError(
            .inputOutput,
            provider: name,
            key: key,
            value: value,
            reason: problem?.reason ?? "",
            advice: problem?.advice
        )
    }
}
