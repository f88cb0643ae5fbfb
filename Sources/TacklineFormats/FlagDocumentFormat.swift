#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is what files and servers give.

/// What a provider's documents mean: values, or something that values are made from.
///
/// A provider that reads files or servers is told the format and never guesses it. `TacklineTargeting` adds `.flagd`,
/// for definitions with rules. A format of your own needs a ``FlagDocumentStore`` that understands it:
///
/// ```swift
/// extension FlagDocumentFormat {
///     static let toggles = FlagDocumentFormat(name: "toggles") { _ in TogglesStore() }
/// }
/// ```
public struct FlagDocumentFormat: Sendable {
    /// Names the format, in messages and for caches, which keep documents of different formats apart.
    public let name: String

    /// How many arrays and objects may stand in each other in a document; `nil` for as many as whoever reads it allows.
    public let maximumDepth: Int?

    /// The member at the top whose own members stand alone, as `FlagDocument(json:limits:isolating:)` has it; `nil` where a
    /// mistake spoils the whole document.
    public let isolatedMember: String?

    private let makeOwnStore: (@Sendable (_ providerName: String) -> any FlagDocumentStore)?

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - name: Names the format. Documents that another format of that name had accepted should be acceptable to this
    ///     one.
    ///   - maximumDepth: How many arrays and objects may stand in each other in a document.
    ///   - isolatedMember: The member at the top whose own members stand alone.
    ///   - makeStore: Makes what holds the documents of one provider, whose name it is given.
    public init(
        name: String, maximumDepth: Int? = nil, isolatedMember: String? = nil,
        makeStore: @escaping @Sendable (_ providerName: String) -> any FlagDocumentStore
    ) {
        self.name = name
        self.maximumDepth = maximumDepth
        self.isolatedMember = isolatedMember
        makeOwnStore = makeStore
    }

    private init(valuesNamed name: String) {
        self.name = name
        maximumDepth = nil
        isolatedMember = nil
        makeOwnStore = nil
    }

    /// Documents hold the values themselves, by flat key or in nested objects. They need no rules, and can be written.
    public static let values = FlagDocumentFormat(valuesNamed: "values")

    /// Whether documents hold the values themselves. In any other format they are only read, as a whole, with the
    /// members at the top whose name begins with `$`.
    public var holdsValues: Bool { makeOwnStore == nil }

    /// Reads a document from JSON, as deep as the format allows.
    ///
    /// - Parameters:
    ///   - data: The text in UTF-8.
    ///   - limits: What is accepted otherwise; their depth counts where the format has none of its own.
    /// - Throws: ``FlagJSONError`` for the first mistake that spoils the document.
    public func document(json data: Data, limits: FlagJSONReader.Limits) throws(FlagJSONError) -> FlagDocument {
        var limits = limits
        if let maximumDepth { limits.maximumDepth = maximumDepth }
        return try FlagDocument(json: data, limits: limits, isolating: isolatedMember)
    }

    /// Makes the store of one provider. It holds nothing yet.
    ///
    /// - Parameter providerName: The name of the provider, for messages.
    public func makeStore(providerName: String) -> any FlagDocumentStore {
        makeOwnStore?(providerName) ?? FlagProviderStore()
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
