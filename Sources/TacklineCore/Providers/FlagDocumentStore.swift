/// Holds the document of a provider in one ``FlagDocumentFormat``, answers from it, and tells its observers what changes.
///
/// A document is put in force in two steps, so that a bad one changes nothing and a good one can wait:
///
/// ```swift
/// let prepared = try store.prepare(document)   // checked, and compiled if the format has something to compile
/// prepared.activate()                          // answers from now on; what differs has been announced
/// store.reportIssues()                         // outside of your locks
/// ```
///
/// The rules of ``FlagProvider`` hold: answers never wait for input or output; changes are announced in order, exactly
/// those that there are, whether a new document made them or something else that the values depend on.
public protocol FlagDocumentStore: AnyObject, Sendable {
    /// Checks a document. Nothing is changed by it.
    ///
    /// - Throws: ``FlagDocumentError`` for a document that is unusable as a whole. What is wrong with a single flag is no
    ///   reason: then that flag has no value, and ``reportIssues()`` tells it once the document is in force.
    func prepare(_ document: FlagDocument) throws(FlagDocumentError) -> PreparedFlagDocument

    /// Hands what was found wrong with single flags to where issues go, each once. Call it after a document came into force,
    /// when you hold no lock: a reporter may call back. By default there is nothing to report.
    func reportIssues()

    /// Holds nothing from now on.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    func clear() -> [FlagProviderChange]

    /// Returns the value for a key here and now, or `nil` if there is none.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// Returns what ``value(for:)`` would return, with its details where the format knows any. It is not a use of the flag.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue

    /// All values here and now.
    var document: FlagDocument { get }

    /// Takes an observer, held weakly.
    ///
    /// - Returns: `false` where values depend on something whose changes cannot be told, such as the calling task.
    func observe(_ observer: FlagProviderObserver) -> Bool
}

extension FlagDocumentStore {
    /// Has nothing to report.
    public func reportIssues() {}

    /// The value without details.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        DetailedFlagValue(value: value(for: key))
    }
}

extension FlagProviderStore: FlagDocumentStore {
    /// Accepts every document.
    public func prepare(_ document: FlagDocument) -> PreparedFlagDocument {
        PreparedFlagDocument { self.replaceDocument(with: document) }
    }

    /// Removes every value.
    @discardableResult
    public func clear() -> [FlagProviderChange] { replaceDocument(with: FlagDocument()) }
}
