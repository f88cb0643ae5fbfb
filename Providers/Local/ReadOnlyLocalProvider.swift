public import TacklineCore

public import TacklineFoundation

/// A provider that reads its values from a file and never writes it, such as a file in the app's bundle.
///
/// ```swift
/// let shipped = ReadOnlyLocalProvider(file: Bundle.main.url(forResource: "flags", withExtension: "json")!)
/// ```
///
/// The document may hold rules instead of values:
///
/// ```swift
/// let rules = ReadOnlyLocalProvider(file: file, format: .flagd(context: .current(context)))
/// ```
///
/// It is a separate type rather than a mode of ``LocalProvider``, because a value that is set without naming a provider
/// goes to the first writable provider. Formats and failures are those of ``LocalProvider``. You can call it from any
/// thread.
public final class ReadOnlyLocalProvider: FlagProvider, FlagReasoningProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The location of the file, as passed to the initializer.
    public let file: URL

    private let local: LocalProvider

    /// Creates a provider and reads the file, which takes as long as with ``LocalProvider``.
    ///
    /// A missing file is a failure, which appears in ``status``.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - format: The format of the document in the file.
    ///   - changeDetection: The way in which changes of the file are detected. The default is not at all, because a
    ///     bundle doesn't change.
    public init(
        file: URL, name: String = "ReadOnlyLocalProvider", format: FlagDocumentFormat = .values,
        changeDetection: LocalProvider.ChangeDetection = .off
    ) {
        (self.name, self.file) = (name, file)
        var settings = LocalProvider.Settings()
        (settings.format, settings.mustExist) = (format, true)
        local = LocalProvider(file: file, name: name, changeDetection: changeDetection, settings: settings)
    }

    /// All current values.
    public var document: FlagDocument? { local.document }

    /// The traits of the provider. Its values depend on the task if the rules of the document do.
    public var traits: FlagProviderTraits { local.traits }

    /// Ready, or failed with the file, the line and the column if the last reading failed.
    public var status: FlagProviderStatus { local.status }

    /// Returns the value in memory, or `nil` if there is none. The key is looked up flat and then nested. A definition
    /// with rules is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { local.value(for: key) }

    /// Returns the value with its variant, reason and metadata, if the document format has them.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { local.evaluation(for: key) }

    /// Returns how the rules of a document arrive at a value, or `nil` if there are no rules for the key.
    package func reasoning(for key: FlagKeyPath) -> FlagReasoning? { local.reasoning(for: key) }

    /// Adds an observer, which is notified of changes in the file if they are detected.
    public func observe(_ observer: FlagProviderObserver) -> Bool { local.observe(observer) }

    /// Reads the file and notifies observers of changes.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if it can't be read. The present values stay in force.
    public func reload() throws(FlagError) { try local.reload() }
}
