#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation provides `Data`, the form in which files and servers give documents.

/// The format of a provider's documents, such as plain values or definitions with rules.
///
/// You choose the format when you create a provider for a file or a server; it is never guessed. `TacklineTargeting`
/// adds the format `.flagd`, for definitions with rules. To add a format of your own, implement a
/// ``FlagDocumentStore``:
///
/// ```swift
/// extension FlagDocumentFormat {
///     static let toggles = FlagDocumentFormat(name: "toggles") { _ in TogglesStore() }
/// }
/// ```
public struct FlagDocumentFormat: Sendable {
    /// The name of the format, in messages and caches.
    ///
    /// Caches use the name to keep documents of different formats apart.
    public let name: String

    /// The maximum nesting depth of arrays and objects in a document, or `nil` for the limit of the reader.
    public let maximumDepth: Int?

    /// The top-level member whose members are read independently, or `nil` if any error invalidates the whole document.
    ///
    /// `FlagDocument(json:limits:isolating:)` describes independent reading.
    public let isolatedMember: String?

    /// Creates the store of a provider; `nil` for the format of plain values.
    private let storeFactory: (@Sendable (_ providerName: String) -> any FlagDocumentStore)?

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - name: The name of the format. A format must accept documents that an earlier format of the same name
    ///     accepted, because they can be in a cache.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects, or `nil` for the limit of the reader.
    ///   - isolatedMember: The top-level member whose members are read independently, or `nil` for none.
    ///   - makeStore: A closure that creates the store of one provider. It receives the provider's name.
    public init(
        name: String, maximumDepth: Int? = nil, isolatedMember: String? = nil,
        makeStore: @escaping @Sendable (_ providerName: String) -> any FlagDocumentStore
    ) {
        self.name = name
        self.maximumDepth = maximumDepth
        self.isolatedMember = isolatedMember
        storeFactory = makeStore
    }

    private init(valuesNamed name: String) {
        self.name = name
        maximumDepth = nil
        isolatedMember = nil
        storeFactory = nil
    }

    /// The format of documents that contain plain values, by flat key or in nested objects.
    ///
    /// Documents of this format can be written.
    public static let values = FlagDocumentFormat(valuesNamed: "values")

    /// Whether documents contain plain values.
    ///
    /// Documents of any other format are read-only. They are passed to their store as a whole, including top-level
    /// members whose names begin with `$`.
    public var holdsValues: Bool { storeFactory == nil }

    /// Returns the document that JSON text represents.
    ///
    /// - Parameters:
    ///   - data: The text in UTF-8.
    ///   - limits: The limits of an acceptable document. The format's ``maximumDepth``, if any, replaces their depth.
    /// - Throws: ``FlagJSONError`` for the first error that invalidates the document.
    public func document(json data: Data, limits: FlagJSONReader.Limits) throws(FlagJSONError) -> FlagDocument {
        var limits = limits
        if let maximumDepth { limits.maximumDepth = maximumDepth }
        return try FlagDocument(json: data, limits: limits, isolating: isolatedMember)
    }

    /// Returns a new, empty store for a provider.
    ///
    /// - Parameter providerName: The name of the provider, for messages.
    public func makeStore(providerName: String) -> any FlagDocumentStore {
        storeFactory?(providerName) ?? FlagProviderStore()
    }
}

/// Holds the document of a provider in one ``FlagDocumentFormat``, answers from it, and tells observers what changes.
///
/// A document is put in force in two steps, so that a bad one changes nothing and a good one can wait:
///
/// ```swift
/// let prepared = try store.prepare(document, json: bytes)   // checked, and compiled if the format compiles something
/// prepared.activate()                          // answers from now on; what differs has been announced
/// store.reportIssues()                         // outside of your locks
/// ```
///
/// The rules of ``/TacklineCore/FlagProvider`` hold: answers never wait for input or output; changes are announced in
/// order, exactly those that there are, whether a new document made them or something else that the values depend on.
public protocol FlagDocumentStore: AnyObject, Sendable {
    /// Checks a document. Nothing is changed by it.
    ///
    /// - Throws: ``FlagDocumentError`` for a document that is unusable as a whole. What is wrong with a single flag is
    ///   no reason: then that flag has no value, and ``reportIssues()`` tells it once the document is in force.
    func prepare(_ document: FlagDocument) throws(FlagDocumentError) -> PreparedFlagDocument

    /// Checks a document of which the text is at hand, so that what is wrong can be told with line and column. By default the
    /// text is not looked at.
    ///
    /// - Parameters:
    ///   - document: What was read from the text.
    ///   - json: The text in UTF-8; `nil` if the document was read from none, or from a property list.
    /// - Throws: ``FlagDocumentError`` for a document that is unusable as a whole.
    func prepare(_ document: FlagDocument, json: Data?) throws(FlagDocumentError) -> PreparedFlagDocument

    /// Hands what was found wrong with single flags to where issues go, each once. Call it after a document came into
    /// force, when you hold no lock: a reporter may call back. By default there is nothing to report.
    func reportIssues()

    /// Holds nothing from now on.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    func clear() -> [FlagProviderChange]

    /// Returns the value for a key here and now, or `nil` if there is none.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// Returns what ``value(for:)`` would return, with its details where the format knows any. It is not a use of the
    /// flag.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue

    /// Returns the same, as a use of the flag: by default, the value is asked for and then its details.
    func usedValue(for key: FlagKeyPath) -> DetailedFlagValue

    /// Says how rules come to what they give for a key; by default there are none. See ``FlagReasoningProvider``.
    func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning?

    /// All values here and now.
    var document: FlagDocument { get }

    /// Takes an observer, held weakly. Where values depend on something whose changes cannot be told, such as the calling
    /// task, it says so with `FlagProviderObserver.cannotTellChanges()`.
    func observe(_ observer: FlagProviderObserver)
}

extension FlagDocumentStore {
    /// Checks the document without its text.
    public func prepare(_ document: FlagDocument, json: Data?) throws(FlagDocumentError) -> PreparedFlagDocument {
        try prepare(document)
    }

    /// Does nothing: by default a store reports no issues.
    public func reportIssues() {}

    /// No account: by default there are no rules.
    public func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? { nil }

    /// The value without details.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        DetailedFlagValue(value: value(for: key))
    }

    /// Asks for the value, which is the use, and for its details.
    public func usedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        let (value, detailed) = (value(for: key), detailedValue(for: key))
        return detailed.value == value ? detailed : DetailedFlagValue(value: value)
    }
}

/// A provider that gives a value for use together with its details, at the cost of one evaluation.
///
/// For those who tell what flags were used for: ``/TacklineCore/DetailedFlagProvider`` has details for those who only look.
public protocol UsedDetailsProvider: DetailedFlagProvider {
    /// Returns what ``/TacklineCore/FlagProvider/value(for:)`` would return now, with its details, and counts it as that does.
    func usedValue(for key: FlagKeyPath) -> DetailedFlagValue
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

/// A document that a ``FlagDocumentStore`` has checked, ready to be put in force.
public struct PreparedFlagDocument: Sendable {
    private let putInForce: @Sendable () -> [FlagProviderChange]

    /// Makes a prepared document.
    ///
    /// - Parameter activate: Puts it in force and announces what differs, which it returns. It may be called never,
    ///   once, or again after another document.
    public init(activate: @escaping @Sendable () -> [FlagProviderChange]) {
        putInForce = activate
    }

    /// Puts the document in force in place of the one before.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    public func activate() -> [FlagProviderChange] { putInForce() }
}

/// Why a document is unusable as a whole in its format.
public struct FlagDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, where, and what to do about it, as a part of a sentence.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
