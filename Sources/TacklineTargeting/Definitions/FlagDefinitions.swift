#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Date` is the source of `$flagd.timestamp`, and files and servers give `Data`.

/// A document in flagd's format: flags with their variants and rules, compiled and ready to be evaluated.
///
/// ```swift
/// let definitions = try FlagDefinitions(document)
/// let evaluation = definitions.evaluate("reservations", for: user)
/// ```
///
/// A mistake in one flag does not affect the others: that flag alone gives an error, which ``errors`` describes.
///
/// Copies share the compiled flags. Any thread may evaluate at any time, without a lock.
public struct FlagDefinitions: Sendable {
    /// The flags by their keys, including those with errors.
    public let flags: [String: FlagDefinition]
    /// The metadata of the document.
    public let metadata: [String: EncodedFlagValue]
    /// The errors of flags, and splits that have nothing to bucket by; in the order of the flags' keys, with line and
    /// column if the document was read from JSON.
    ///
    /// A flag gives its error for every subject, or only for those to whom its rule gives a variant that does not
    /// exist. If there are more than a thousand errors, the last one states the number of the others.
    public let errors: [FlagDefinitionProblem]

    let settings: RuleSettings
    /// The document, as text if it was read from text.
    let document: SourceDocument
    /// The rules that `$ref` names.
    let shared: SharedRules
    private let table: FlagTable
    /// All flags, in the order in which they lie in memory.
    let all: [FlagDefinition]
    /// The moments at which the passing of time may change a value.
    let timed: TimedRules

    /// Reads and compiles a document.
    ///
    /// - Parameters:
    ///   - document: The document as JSON. Its flags may be an object, or a list whose elements have a `key`.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. Everyone who evaluates the document must use the same one.
    ///   - timestamp: Returns the time that rules see, in seconds since 1970. It is called at most once for each
    ///     mention of `$flagd.timestamp`, on the evaluating thread.
    /// - Throws: ``TargetingError`` if the document is unusable as a whole: it is no object, or its flags are missing.
    /// - Complexity: O(*n*) in the size of the document.
    public init(
        _ document: EncodedFlagValue, limits: TargetingLimits = .default,
        fractional: FractionalGeneration = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        let settings = RuleSettings(timestamp: timestamp, fractional: fractional, limits: limits)
        try self.init(document, text: nil, settings: settings)
    }

    /// Reads and compiles a document from its JSON text.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. Everyone who evaluates the document must use the same one.
    ///   - timestamp: Returns the time that rules see, in seconds since 1970.
    /// - Throws: ``TargetingError`` with line and column if the text is no JSON, or with the reason why the document is
    ///   unusable as a whole.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        json: Data, limits: TargetingLimits = .default, fractional: FractionalGeneration = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        let format = FlagDocumentFormat.flagd(context: .fixed(EvaluationContext()), limits: limits)
        let document: FlagDocument
        do {
            document = try format.document(json: json, limits: FlagJSONReader.Limits())
        } catch {
            throw TargetingError(code: .parseError, path: JSONPointer.text(error.path), message: error.description)
        }
        let settings = RuleSettings(timestamp: timestamp, fractional: fractional, limits: limits)
        try self.init(document, text: json, settings: settings)
    }

    /// Reads and compiles a document from its JSON text, as the same initializer does from data.
    public init(
        json: some Sequence<UInt8>, limits: TargetingLimits = .default, fractional: FractionalGeneration = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        try self.init(json: Data(json), limits: limits, fractional: fractional, timestamp: timestamp)
    }

    /// Reads and compiles a document from its JSON text, as the same initializer does from data.
    public init(
        json: String, limits: TargetingLimits = .default, fractional: FractionalGeneration = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        try self.init(json: Data(json.utf8), limits: limits, fractional: fractional, timestamp: timestamp)
    }

    /// Compiles a document that was read in the format of definitions.
    ///
    /// - Parameter text: The text that it was read from; `nil` for none.
    init(_ document: FlagDocument, text: Data? = nil, settings: RuleSettings) throws(TargetingError) {
        try self.init(.object(document.root), text: text, settings: settings)
    }

    private init(_ root: EncodedFlagValue, text: Data?, settings: RuleSettings) throws(TargetingError) {
        let reader = try FlagDefinitionsReader(root, settings: settings)
        flags = reader.flags
        self.settings = settings
        metadata = reader.metadata
        errors = reader.errors.located(in: text)
        document = SourceDocument(root, text: text, limits: settings.limits)
        shared = reader.evaluators
        all = reader.all
        table = FlagTable(all)
        timed = TimedRules(all.lazy.filter(\.isEnabled).compactMap { $0.rule?.root })
    }

    private init() {
        flags = [:]
        settings = RuleSettings(timestamp: Self.currentTimestamp, fractional: .v2, limits: .default)
        metadata = [:]
        errors = []
        document = SourceDocument(.object(["flags": .object([:])]))
        shared = .none
        all = []
        table = FlagTable([])
        timed = TimedRules([])
    }

    /// The document without flags.
    static let empty = FlagDefinitions()

    /// The system's time in whole seconds since 1970.
    public static let currentTimestamp: @Sendable () -> Int64 = {
        Int64(Date().timeIntervalSince1970.rounded(.down))
    }

    /// The generation of `fractional` by which the document is evaluated.
    public var fractional: FractionalGeneration { settings.fractional }

    /// Evaluates a flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - context: The subject that the flag is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagEvaluation.ErrorCode.typeMismatch`. `nil`
    ///     accepts the flag's own type.
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost stays within the limits, whatever
    ///   the document holds.
    public func evaluate(
        _ key: String, for context: EvaluationContext, expecting type: FlagValueType? = nil
    ) -> FlagEvaluation {
        guard let flag = flag(key) else {
            return FlagEvaluation(
                value: nil, reason: .error, metadata: metadata, errorCode: .flagNotFound,
                errorMessage: "Flag \"\(key)\": the document has no such flag.")
        }
        return flag.evaluate(for: context, expecting: type)
    }

    /// Returns the flag with a key; `nil` if there is none.
    @inline(__always)
    func flag(_ key: String) -> FlagDefinition? { table.flag(key) ?? flags[key] }
}
