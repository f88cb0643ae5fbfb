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
/// asked for. On Linux nobody tells them, so ``observe(_:)`` says that it cannot, and a loader asks at each read.
public final class UserDefaultsProvider: WritableFlagProvider, ObservableFlagProvider {
    /// What people call it, and its id in a chain.
    public let name: String
    /// The suite, or `nil` for the standard user defaults.
    public let suiteName: String?
    /// What stands before each key.
    public let prefix: String

    private let storage: DefaultsStorage?
    private let board: DefaultsBoard
    #if canImport(ObjectiveC)
        private let listener: DefaultsListener?
    #endif

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: What people call it, and its id in a chain.
    ///   - suiteName: A suite or an App Group; `nil` for the standard user defaults. One that the platform refuses,
    ///     such as the app's own identifier, shows in ``status``.
    ///   - prefix: What stands before each key, so that flags stay apart from other settings.
    public init(name: String = "UserDefaultsProvider", suiteName: String? = nil, prefix: String = "") {
        self.name = name
        self.suiteName = suiteName
        self.prefix = prefix
        let storage = DefaultsStorage(suiteName: suiteName, prefix: prefix)
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

    /// Ready, or failed if there is no such suite.
    public var status: FlagProviderStatus {
        storage == nil ? .failed(noSuite(key: nil, value: nil)) : .ready
    }

    /// Returns the value in the user defaults, looked up flat and then nested; `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let storage else { return nil }
        learn(key, storage)
        return storage.value(for: key)
    }

    /// Tells the observer what is set here and, on Apple systems, what others change. On Linux it also tells it that it will
    /// not hear of every change.
    public func observe(_ observer: FlagProviderObserver) {
        board.observe(observer)
        #if !canImport(ObjectiveC)
            observer.cannotTellChanges()
        #endif
    }

    /// Sets the value, or removes it with `nil`.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if there is no such suite, or user defaults cannot hold the value.
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
            reason: "there are no user defaults of the suite \"\(suiteName ?? "")\"",
            advice: "Name an App Group or a suite of your own, not the app's identifier; nil means the standard ones"
        )
    }
}
