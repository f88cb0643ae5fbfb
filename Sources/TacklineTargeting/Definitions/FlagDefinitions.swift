public import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` tells the time that rules see as `$flagd.timestamp`.

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
    /// The flags by their keys, the bad ones included.
    public let flags: [String: FlagDefinition]
    /// The metadata of the document.
    public let metadata: [String: EncodedFlagValue]
    /// What is wrong with the flags that answer with an error, in the order of their keys.
    public let errors: [FlagDefinitionProblem]

    private let document: EncodedFlagValue
    private let table: FlagTable

    /// Reads and compiles a document.
    ///
    /// - Parameters:
    ///   - document: The document as JSON. Its flags may be an object, or a list whose elements have a `key`.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - bucketing: The arithmetic of `fractional`.
    ///   - timestamp: The time that rules see, in seconds since 1970. Called at most once for each mention of it, on the
    ///     evaluating thread.
    /// - Throws: ``TargetingError`` if the document is unusable as a whole: it is no object, or its flags are missing.
    /// - Complexity: O(*n*) in the size of the document.
    public init(
        _ document: EncodedFlagValue, limits: TargetingLimits = .default,
        bucketing: any FractionalBucketing = .secondGeneration,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        let settings = RuleSettings(timestamp: timestamp, bucketing: bucketing, limits: limits)
        let reader = try FlagDefinitionsReader(document, settings: settings)
        flags = reader.flags
        metadata = reader.metadata
        errors = reader.errors
        self.document = document
        table = FlagTable(flags.values)
    }

    private init() {
        flags = [:]
        metadata = [:]
        errors = []
        document = .object(["flags": .object([:])])
        table = FlagTable([])
    }

    /// The document without flags.
    static let empty = FlagDefinitions()

    /// The system's time in whole seconds since 1970.
    public static let currentTimestamp: @Sendable () -> Int64 = {
        Int64(Date().timeIntervalSince1970.rounded(.down))
    }

    /// Evaluates a flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - context: Who or what it is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagResolutionErrorCode.typeMismatch`. `nil` takes the
    ///     flag's own type.
    /// - Returns: A value, no opinion, or an error, never anything thrown. Within the limits, whatever the document.
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
        guard let flag = flags[key], hasSameUnits(flag.key, key) else { return nil }
        return flag
    }

    /// Lists everything in the document that flagd's schema refuses, with its place, in the order of the document's keys.
    ///
    /// The list is empty exactly for a document that is valid. A warning concerns something that is not valid but has a
    /// meaning all the same, such as `starts_with` with one argument, which is null.
    ///
    /// - Complexity: O(*n*) in the size of the document.
    public func validate() -> [FlagDefinitionProblem] {
        FlagDefinitionsValidator.problems(in: document, errors: errors)
    }

    /// Lists what is wrong with a document, also with one that cannot be used at all.
    public static func validate(
        _ document: EncodedFlagValue, limits: TargetingLimits = .default
    ) -> [FlagDefinitionProblem] {
        do {
            return try FlagDefinitions(document, limits: limits).validate()
        } catch {
            return [FlagDefinitionProblem(path: error.path, message: error.message, severity: .error)]
        }
    }
}
