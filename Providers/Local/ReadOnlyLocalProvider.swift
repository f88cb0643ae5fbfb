public import TacklineCore
public import TacklineFormats

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` is how files are named.

/// A provider whose values stand in a file that is never written, such as one in the app's bundle.
///
/// ```swift
/// let shipped = ReadOnlyLocalProvider(localURL: Bundle.main.url(forResource: "flags", withExtension: "json")!)
/// ```
///
/// The document may hold rules instead of values:
///
/// ```swift
/// let rules = ReadOnlyLocalProvider(localURL: file, format: .flagd(context: .current(context)))
/// ```
///
/// It is a type of its own rather than a mode of ``LocalProvider``, because what cannot be written must not be asked
/// to: a value that is set without naming a provider goes to the first writable one. Formats and failures are as they
/// are there. Safe from any thread.
public final class ReadOnlyLocalProvider: FlagProvider, FlagReasoningProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// The location of the file, as passed to the initializer.
    public let localURL: URL

    private let file: LocalFile

    /// Makes a provider and reads the file, at the cost of ``LocalProvider``.
    ///
    /// A file that does not exist is a failure here, which ``status`` shows.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - localURL: The file.
    ///   - format: What the document in the file means.
    ///   - changeDetection: How changes of the file are noticed; by default they are not, since a bundle does not
    ///     change.
    ///   - maximumBytes: The largest size of the file in bytes. A larger file is a failure.
    public init(
        name: String = "ReadOnlyLocalProvider",
        localURL: URL,
        format: FlagDocumentFormat = .values,
        changeDetection: LocalProvider.ChangeDetection = .off,
        maximumBytes: Int = LocalProvider.Options().maximumBytes
    ) {
        self.name = name
        self.localURL = localURL
        let options = LocalProvider.Options(changeDetection: changeDetection, maximumBytes: maximumBytes)
        file = LocalFile(name: name, url: localURL, format: format, options: options, mustExist: true)
        file.watch()
    }

    /// All values as of now.
    public var document: FlagDocument? { file.contents.document }

    /// Dependent on the task where the rules of the document are.
    public var kind: FlagProviderKind { file.contents.isTaskDependent ? .taskDependent : [] }

    /// Ready, or failed with the file, the line and the column when the file was last read without success.
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

    /// Tells the observer what changes in the file, if that is noticed.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        file.observe(observer)
    }

    /// Reads the file now and announces what differs.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if it cannot be read. The values in force stay in force.
    public func reload() throws(FlagProviderError) {
        try file.reload()
    }
}
