public import TacklineCore
public import TacklineFormats

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
/// anything else is JSON. A file of somebody else is read as it is, flat or nested, and keys in it that no flag uses
/// are kept when it is written. A file that does not exist has no values, and the first write makes it, with its
/// folder.
///
/// With another format of documents, such as `.flagd` for definitions with rules, the file is only read: writes throw and
/// name what to write to instead. ``ReadOnlyLocalProvider`` says so by its type, and is the better choice then, since a value
/// that is set without naming a provider goes to the first one that can be written.
///
/// A write returns when the new file is on the disk, and takes as long as the disk takes (``Options/durability``); reads never
/// wait for it, and neither do bindings in views. **tvOS keeps no files**: it may remove them whenever the app does not run. Safe
/// from any thread, and several processes may share a file: each write keeps what others wrote to other keys.
///
/// A file that exists and cannot be read, or is not what its format asks for, is neither used nor overwritten:
/// ``status`` says what is wrong with it, and writes throw the same.
public final class LocalProvider: WritableFlagProvider, FlagReasoningProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// The location of the file, as passed to the initializer.
    public let localURL: URL

    private let file: LocalFile

    /// Makes a provider and reads the file, if there is one.
    ///
    /// Reading takes about 0.1 ms for a small file and some milliseconds for 10,000 values. Whatever goes wrong shows
    /// in ``status``.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - localURL: The file. It may be a symbolic link, which is kept.
    ///   - format: What the document in the file means.
    ///   - options: How the file is treated.
    public init(
        name: String = "LocalProvider", localURL: URL, format: FlagDocumentFormat = .values,
        options: Options = Options()
    ) {
        self.name = name
        self.localURL = localURL
        file = LocalFile(name: name, url: localURL, format: format, options: options)
        file.watch()
    }

    /// All values as of now.
    public var document: FlagDocument? { file.contents.document }

    /// Ready, or failed with the file, the line and the column when the file was last read without success.
    ///
    /// With a ``Options/writeDelay`` also failed when what was gathered could not be written.
    public var status: FlagProviderStatus { file.status }

    /// Returns the value in memory, looked up flat and then nested; `nil` if there is none. With rules it is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        file.contents.value(for: key)
    }

    /// The value with variant, reason and metadata, where the format of the document has any.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        file.contents.detailedValue(for: key)
    }

    /// Says how the rules of a document with rules come to what they give; `nil` where it has none for the key.
    public func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        file.contents.reasoning(for: key, as: attributes)
    }

    /// Tells the observer what is set here and what others change in the file.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        file.observe(observer)
    }

    /// Sets the value, or removes it with `nil`, and returns when the file is on the disk.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if the value could not be kept, with the file and the cause;
    ///   always if the format of the document is one that is only read. Nothing has changed then, in memory or in the
    ///   file. Should the disk itself fail in the last step, when the new file is already in its place, the new values
    ///   are read from it as somebody else's would be.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try file.change(.set([key: value]))
    }

    /// Sets or removes the value, and with ``/TacklineCore/FlagWriteDurability/deferred`` returns before the file is written.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` as ``setValue(_:for:)`` does. An error of a deferred write is reported
    ///   and appears in ``status``.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try file.change(.set([key: value]), durability)
    }

    /// Sets several values, removing those that are `nil`, in one write of the file.
    ///
    /// Readers, other processes and a crash see either all of them or none.
    ///
    /// - Returns: What differs now.
    /// - Throws: ``/TacklineCore/FlagProviderError`` if the values could not be kept. Nothing has changed then.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) throws(FlagProviderError) -> [FlagProviderChange]
    {
        try file.change(.set(values))
    }

    /// Removes every value from the file, also those that no flag uses.
    ///
    /// The file itself stays, since its permissions and attributes would go with it, and a file that is gone may also be one
    /// that was lost.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if the file could not be written. Nothing has changed then.
    public func resetAllData() throws(FlagProviderError) {
        try file.change(.removeAll)
    }

    /// Writes what was gathered, with ``Options/writeDelay``; otherwise there is nothing to do.
    ///
    /// Call it before the process ends. What is left when the provider goes away is written then, and on Apple's systems
    /// also when the app goes to the background.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if the file could not be written. The values stay in memory, and
    ///   the next write or `flush()` tries again.
    public func flush() throws(FlagProviderError) {
        try file.flush()
    }

    /// Reads the file now and announces what differs.
    ///
    /// For a file that could not be read before and now can. Protected data is read by itself after the device was unlocked.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if it cannot be read. The values in force stay in force.
    public func reload() throws(FlagProviderError) {
        try file.reload()
    }
}
