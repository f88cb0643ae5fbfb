#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore
import TacklineFormats

// Foundation: `Date` tells the time that rules see as `$flagd.timestamp`, `Data` is what files and servers give.

/// A document in flagd's format: flags with their variants and rules, compiled and ready to be evaluated.
///
/// ```swift
/// let definitions = try FlagDefinitions(document)
/// let evaluation = definitions.evaluate("reservations", for: user)
/// ```
///
/// One bad flag never spoils the document: it alone answers with an error, and ``errors`` says what is wrong with it.
///
/// A value that shares its compiled flags with its copies; any thread may evaluate at any time, without a lock.
public struct FlagDefinitions: Sendable {
    /// The flags by their keys, the bad ones included. A dictionary holds only the first of several flags whose keys differ
    /// in nothing but their Unicode normalisation; all of them are evaluated.
    public let flags: [String: FlagDefinition]
    /// The flags whose keys differ from one in ``flags`` by nothing but their Unicode normalisation.
    package let namesakes: [FlagDefinition]
    /// The metadata of the document.
    public let metadata: [String: EncodedFlagValue]
    /// What is wrong with the flags that answer with an error, for everybody or for those to whom their rule gives a variant
    /// that there is not, and with splits that have nothing to bucket by; in the order of their keys, with line and column if
    /// the document was read from JSON.
    public let errors: [FlagDefinitionProblem]

    let settings: RuleSettings
    let document: EncodedFlagValue
    /// The text that the document was read from.
    let source: Data?
    private let table: FlagTable

    /// Reads and compiles a document.
    ///
    /// - Parameters:
    ///   - document: The document as JSON. Its flags may be an object, or a list whose elements have a `key`.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. It has to be that of everybody else who evaluates the document.
    ///   - timestamp: The time that rules see, in seconds since 1970. Called at most once for each mention of it, on the
    ///     evaluating thread.
    /// - Throws: ``TargetingError`` if the document is unusable as a whole: it is no object, or its flags are missing.
    /// - Complexity: O(*n*) in the size of the document.
    public init(
        _ document: EncodedFlagValue, limits: TargetingLimits = .default,
        fractional: FractionalGeneration = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        let settings = RuleSettings(timestamp: timestamp, fractional: fractional, limits: limits)
        try self.init(document, namesakes: [:], source: nil, settings: settings)
    }

    /// Reads and compiles a document from its JSON text.
    ///
    /// What one flag cannot hold (one key twice, an integer beyond `Int128`, half a surrogate pair) is an error of that flag,
    /// with line and column.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. It has to be that of everybody else who evaluates the document.
    ///   - timestamp: The time that rules see, in seconds since 1970.
    /// - Throws: ``TargetingError`` with line and column where the text is no JSON, or with the reason why the document is
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
        try self.init(document, source: json, settings: settings)
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
    /// - Parameters:
    ///   - source: The text that it was read from, for the places of errors.
    ///   - keepsSource: Whether what is found later gets places, too.
    init(
        _ document: FlagDocument, source: Data? = nil, keepsSource: Bool = true, settings: RuleSettings
    ) throws(TargetingError) {
        var namesakes: [String: EncodedFlagValue] = [:]
        for (path, value) in document.namesakes where path.components.first == "flags" {
            namesakes[path.components.last ?? ""] = value
        }
        try self.init(
            .object(document.root), namesakes: namesakes, source: source, keepsSource: keepsSource, settings: settings)
    }

    private init(
        _ document: EncodedFlagValue, namesakes: [String: EncodedFlagValue], source: Data?, keepsSource: Bool = true,
        settings: RuleSettings
    ) throws(TargetingError) {
        let reader = try FlagDefinitionsReader(document, namesakes: namesakes, settings: settings)
        flags = reader.flags
        self.namesakes = reader.namesakes
        self.settings = settings
        metadata = reader.metadata
        errors = reader.errors.located(in: source)
        self.source = keepsSource ? source : nil
        self.document = document
        table = FlagTable(Array(flags.values) + reader.namesakes)
    }

    private init() {
        flags = [:]
        namesakes = []
        settings = RuleSettings(timestamp: Self.currentTimestamp, fractional: .v2, limits: .default)
        metadata = [:]
        errors = []
        document = .object(["flags": .object([:])])
        source = nil
        table = FlagTable([])
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
    ///   - context: Who or what it is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagResolutionErrorCode.typeMismatch`. `nil` takes the
    ///     flag's own type.
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost stays within the limits, whatever the
    ///   document holds.
    public func evaluate(
        _ key: String, for context: EvaluationContext, expecting type: FlagValueType? = nil
    ) -> FlagEvaluation {
        guard let flag = flag(key) else {
            return FlagEvaluation(
                flagKey: key, outcome: .noOpinion, reason: .error, errorCode: .flagNotFound,
                message: "Flag \"\(key)\": the document has no such flag.", metadata: metadata
            )
        }
        return flag.evaluate(for: context, expecting: type)
    }

    /// The flag with a key.
    @inline(__always)
    func flag(_ key: String) -> FlagDefinition? {
        if let flag = table.flag(key) { return flag }
        // A dictionary takes keys that differ by Unicode normalisation for the same.
        if let flag = flags[key], hasSameUnits(flag.key, key) { return flag }
        return namesakes.first { hasSameUnits($0.key, key) }
    }
}
