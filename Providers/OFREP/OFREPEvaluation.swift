import Synchronization
public import TacklineCore
public import TacklineTargeting

/// A server's evaluation of the flags for one context at one time. It never changes.
///
/// It can be asked for values by key, or be a provider in the chain of a loader.
public final class OFREPEvaluation: FlagProvider {
    /// The name of the provider that requested it.
    public let name: String
    /// The context for which the flags were evaluated.
    public let context: EvaluationContext
    /// The reason why there are no values; `nil` if the server has answered.
    public let error: FlagError?
    /// Whether the evaluation is older than `maximumAge` because the server could not be asked again. Its values then
    /// have the reason `STALE`.
    public let isStale: Bool
    let answer: OFREPAnswer

    init(
        name: String, context: EvaluationContext, answer: OFREPAnswer, error: FlagError? = nil,
        isStale: Bool = false
    ) {
        self.isStale = isStale
        self.name = name
        self.context = context
        self.answer = answer
        self.error = error
    }

    /// Returns the value for a key, or `nil` if the server gave none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { answer.values.value(for: key) }

    /// Returns the value with its variant, reason and metadata, or the error.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        if let error {
            return FlagEvaluation(value: nil, reason: .error, errorCode: .general, errorMessage: error.reason)
        }
        var answer = answer.evaluation(for: key)
        answer.subject = context.targetingKey
        if isStale, answer.value != nil { answer.reason = .stale }
        return answer
    }

    /// The status: `failed` if the server could not be asked, and `ready` otherwise.
    public var status: FlagProviderStatus { error.map { .failed($0) } ?? .ready }

    /// A copy that is marked as stale.
    var stale: OFREPEvaluation { OFREPEvaluation(name: name, context: context, answer: answer, isStale: true) }

    /// The evaluations for the current task, by provider.
    @TaskLocal static var current: [ObjectIdentifier: OFREPEvaluation] = [:]
}
