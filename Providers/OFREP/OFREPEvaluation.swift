import Synchronization
public import TacklineCore
public import TacklineTargeting

/// What a server evaluated for one context at one time. It never changes.
///
/// It can be asked by itself, by key, or stand in the chain of a loader of its own.
public final class OFREPEvaluation: FlagProvider {
    /// The name of the provider that asked.
    public let name: String
    /// Whom the flags were evaluated for.
    public let context: EvaluationContext
    /// Why there are no values; `nil` where the server has answered.
    public let error: FlagProviderError?
    /// Whether it is older than it should be, since the server could not be asked again. Its values have the reason `STALE` then.
    public let isStale: Bool
    private let answer: OFREPAnswer

    init(
        name: String, context: EvaluationContext, answer: OFREPAnswer, error: FlagProviderError? = nil,
        isStale: Bool = false
    ) {
        self.isStale = isStale
        self.name = name
        self.context = context
        self.answer = answer
        self.error = error
    }

    /// Returns the value for a key, or `nil` where the server gave none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { answer.values.value(for: key) }

    /// The value with variant, reason and metadata, or what went wrong.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        guard let error else {
            var answer = answer.detailedValue(for: key)
            answer.details?.subject = context.targetingKey
            if isStale, answer.value != nil { answer.details?.reason = .stale }
            return answer
        }
        let details = FlagResolutionDetails(reason: .error, errorCode: .general, errorMessage: error.reason)
        return DetailedFlagValue(value: nil, details: details)
    }

    /// `failed` where the server could not be asked, else `ready`.
    public var status: FlagProviderStatus { error.map { .failed($0) } ?? .ready }

    /// The same, marked as older than it should be.
    var stale: OFREPEvaluation { OFREPEvaluation(name: name, context: context, answer: answer, isStale: true) }

    /// What the task at hand goes by, for each provider.
    @TaskLocal static var current: [ObjectIdentifier: OFREPEvaluation] = [:]
}

/// Values by context, up to a number: what was not asked for since the half of them came anew goes first.
struct ContextCache<Value> {
    private let half: Int
    private var young: [EvaluationContext: Value] = [:]
    private var old: [EvaluationContext: Value] = [:]

    init(limit: Int) { half = max(1, limit / 2) }

    /// How many there are; at most the limit, or two where that is less.
    var count: Int { young.count + old.keys.count { young[$0] == nil } }

    subscript(context: EvaluationContext) -> Value? {
        mutating get {
            if let value = young[context] { return value }
            guard let value = old.removeValue(forKey: context) else { return nil }
            put(value, context)
            return value
        }
        set {
            old[context] = nil
            guard let newValue else { return young[context] = nil }
            put(newValue, context)
        }
    }

    private mutating func put(_ value: Value, _ context: EvaluationContext) {
        if young.count >= half, young[context] == nil { (old, young) = (young, [:]) }
        young[context] = value
    }
}
