public import TacklineCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` is how files are named.

/// A provider whose values are kept in a file and survive the process, a crash and a loss of power.
///
/// ```swift
/// let overrides = LocalProvider(localURL: directory.appending(path: "overrides.json"))
/// ```
///
/// The extension names the format: `.plist` and `.xml` are property lists, which are read in their binary form too;
/// anything else is JSON. A file of somebody else is read as it is, flat or nested, and keys in it that no flag uses are
/// kept when it is written. A file that does not exist has no values, and the first write makes it, with its folder.
///
/// A write returns when the new file is on the disk, and takes as long as the disk takes; reads never wait for it. Safe
/// from any thread, and several processes may share a file: each write keeps what others wrote to other keys.
///
/// A file that exists and cannot be read, or is not what its format asks for, is neither used nor overwritten:
/// ``status`` says what is wrong with it, and writes throw the same.
public final class LocalProvider: WritableFlagProvider, FlagDocumentProvider {
    public let name: String
    /// The file, as it was given.
    public let localURL: URL

    private let file: LocalFile

    /// Makes a provider and reads the file, if there is one.
    ///
    /// Reading takes about 0.1 ms for a small file and some milliseconds for 10,000 values. Whatever goes wrong shows in
    /// ``status``.
    ///
    /// - Parameters:
    ///   - name: What people call it, and its id in a chain.
    ///   - localURL: The file. It may be a symbolic link, which is kept.
    ///   - options: How the file is treated.
    public init(name: String = "LocalProvider", localURL: URL, options: Options = Options()) {
        self.name = name
        self.localURL = localURL
        file = LocalFile(name: name, url: localURL, options: options)
        // The status keeps what went wrong.
        try? file.reload()
    }

    public var document: FlagDocument { file.store.document }

    /// Ready, or failed with the file, the line and the column when the file was last read without success.
    public var status: FlagProviderStatus { file.status }

    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        file.store.value(for: key)
    }

    public func observe(_ observer: FlagProviderObserver) -> Bool {
        file.store.observe(observer)
    }

    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try file.update(key: key, value: value) { $0.setValue(value, for: key) }
    }

    /// Sets several values, removing those that are `nil`, in one write of the file.
    ///
    /// Readers, other processes and a crash see either all of them or none.
    ///
    /// - Returns: What differs now.
    /// - Throws: ``FlagProviderError`` if the values could not be kept. Nothing has changed then.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) throws(FlagProviderError) -> [FlagProviderChange]
    {
        try file.update { document in
            for (key, value) in values { document.setValue(value, for: key) }
        }
    }

    /// Removes every value from the file, also those that no flag uses.
    ///
    /// - Throws: ``FlagProviderError`` if the file could not be written. Nothing has changed then.
    public func resetAllData() throws(FlagProviderError) {
        try file.update { $0 = FlagDocument() }
    }

    /// Reads the file now and announces what differs.
    ///
    /// For a file that could not be read before and now can, such as protected data after the device was unlocked.
    ///
    /// - Throws: ``FlagProviderError`` if it cannot be read. The values in force stay in force.
    public func reload() throws(FlagProviderError) {
        try file.reload()
    }
}
