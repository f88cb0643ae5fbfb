package import TacklineFoundation

/// The format of a provider's documents, such as plain values or definitions with rules.
///
/// You choose the format when you create a provider for a file or a server; it is never guessed. `TacklineTargeting`
/// adds the format `.flagd`, for definitions with rules, and `TacklineSigning` formats of signed documents.
public struct FlagDocumentFormat: Sendable {
    /// The name of the format, in messages and in caches, which keep documents of different formats apart by it.
    public let name: String

    package let maximumDepth: Int

    /// Creates the store of a provider; `nil` for the format of plain values.
    private let storeFactory: (@Sendable (_ providerName: String) -> any FlagDocumentStore)?

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - name: The name of the format. A format must accept documents that an earlier format of the same name
    ///     accepted, because they can be in a cache.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    ///   - makeStore: A closure that creates the store of one provider. It receives the provider's name. `nil` for the format
    ///     of plain values.
    package init(
        name: String, maximumDepth: Int = EncodedFlagValue.maximumDepth,
        makeStore: (@Sendable (_ providerName: String) -> any FlagDocumentStore)?
    ) {
        (self.name, self.maximumDepth, storeFactory) = (name, maximumDepth, makeStore)
    }

    /// The format of documents that contain plain values, by flat key or in nested objects.
    ///
    /// Documents of this format can be written.
    public static let values = FlagDocumentFormat(name: "values", makeStore: nil)

    /// Whether documents contain plain values.
    ///
    /// Documents of any other format are read-only. They are passed to their store as a whole, including top-level
    /// members whose names begin with `$`.
    public var holdsValues: Bool { storeFactory == nil }

    /// Returns the document that JSON text in UTF-8 represents.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document, and if it isn't an object.
    package func document(
        json data: Data, maximumBytes: Int = FlagJSONReader.defaultMaximumBytes
    ) throws(FlagJSONError) -> FlagDocument {
        let reader = FlagJSONReader(maximumDepth: maximumDepth, maximumBytes: maximumBytes, requiresObject: true)
        return FlagDocument(try reader.read(data).members ?? [:])
    }

    /// Returns a new, empty store for a provider, whose name messages contain.
    package func makeStore(providerName: String) -> any FlagDocumentStore {
        storeFactory?(providerName) ?? FlagProviderStore()
    }
}

/// A store that holds the document of a provider in one ``FlagDocumentFormat``, answers from it, and notifies observers.
///
/// A document is activated in two steps. So a document that can't be used changes nothing, and a usable one can wait:
///
/// ```swift
/// let prepared = try store.prepare(document, json: bytes)   // checked, and compiled if the format compiles documents
/// let changes = prepared()                                  // in force from now on; the changes have been announced
/// store.reportIssues()                                      // outside of your locks
/// ```
///
/// The rules of ``FlagProvider`` apply: answers never wait for input or output, and exactly the changes are
/// announced, in their order, whether they come from a new document or from something else that the values depend on.
package protocol FlagDocumentStore: AnyObject, Sendable {
    /// Checks a document and changes nothing.
    ///
    /// A mistake in a single flag isn't thrown. The flag has no value then, and ``reportIssues()`` reports the mistake after
    /// the document is activated.
    ///
    /// - Parameter json: The text in UTF-8 that the document was read from, so that mistakes are reported with line and
    ///   column, or `nil`.
    /// - Throws: ``FlagError`` if the document can't be used as a whole.
    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument

    /// Reports the mistakes in single flags, each once. The default does nothing.
    ///
    /// Call it after a document was activated, and hold no lock, because a reporter is foreign code.
    func reportIssues()

    /// Removes all values, and returns the changes that were announced.
    @discardableResult
    func clear() -> [FlagProviderChange]

    /// Sends ``FlagProviderNotice/subjectChanged``, as when a provider turns to another URL.
    func announceSubjectChange()

    /// Whether values may differ from task to task. The default is `false`. See ``FlagProviderTraits``.
    var isTaskDependent: Bool { get }

    /// The targeting key of the context that rules are evaluated for, or `nil`, which is the default.
    var subject: String? { get }

    /// Returns the current value for a key, or `nil` if there is none. The value is used.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// Returns the current value for a key with its details. The value is inspected and not used. The default has no details.
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation

    /// Returns the way in which rules choose the value for a key. The default is `nil`. See ``FlagReasoningProvider``.
    func reasoning(for key: FlagKeyPath) -> FlagReasoning?

    var document: FlagDocument { get }

    /// Adds an observer, which is held weakly, and returns whether it is notified of every change. It is not if values
    /// depend on the calling task.
    func observe(_ observer: FlagProviderObserver) -> Bool
}

extension FlagDocumentStore {
    package func reportIssues() {}
    package var isTaskDependent: Bool { false }
    package var subject: String? { nil }
    package func reasoning(for key: FlagKeyPath) -> FlagReasoning? { nil }
    package func evaluation(for key: FlagKeyPath) -> FlagEvaluation { FlagEvaluation(value: value(for: key)) }
}

extension FlagProviderStore: FlagDocumentStore {
    package func prepare(_ document: FlagDocument, json: Data?) -> PreparedFlagDocument {
        { self.replaceDocument(with: document) }
    }

    @discardableResult
    package func clear() -> [FlagProviderChange] { replaceDocument(with: FlagDocument()) }
}

/// A closure that puts a document that a ``FlagDocumentStore`` has checked in force, announces the changes, and returns
/// them. It may be called never, once, or again after another document.
package typealias PreparedFlagDocument = @Sendable () -> [FlagProviderChange]
