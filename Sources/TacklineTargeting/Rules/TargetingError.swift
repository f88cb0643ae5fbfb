public import TacklineCore
import TacklineFiles

/// A rule that cannot be used, or an evaluation that was stopped.
public struct TargetingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public var code: FlagEvaluation.ErrorCode
    /// The place in the rule, as a JSON Pointer (RFC 6901); empty for the rule as a whole.
    public var path: String
    /// A description of the mistake and of its remedy.
    public var message: String

    /// Makes an error.
    public init(code: FlagEvaluation.ErrorCode, path: String = "", message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// The code, path and message in one line.
    public var description: String {
        path.isEmpty ? "\(code): \(message)" : "\(code) at \(path): \(message)"
    }
}

/// The bounds for a rule, so that a hostile or broken document causes an error of one flag and nothing else.
///
/// The defaults are sufficient for any rule that a person would write, and an evaluation that exhausts them ends within
/// milliseconds. A rule beyond ``maximumDepth`` or ``maximumSize`` is refused when the document is read; the other
/// bounds are checked while a rule is evaluated.
public struct TargetingLimits: Hashable, Sendable {
    /// The maximum number of levels to which operators and lists of a rule may be nested. It is at least 1 and at most
    /// 64, whatever is set: a rule is evaluated on the caller's stack.
    public var maximumDepth: Int {
        didSet { maximumDepth = min(max(1, maximumDepth), Self.depthCeiling) }
    }
    /// The maximum number of values that a flag's rule may consist of, including the `$evaluators` it refers to.
    public var maximumSize: Int
    /// The maximum number of steps that one evaluation may take. Each operator, each element visited and each 16 bytes
    /// of text made cost one step, so this bounds memory as well.
    ///
    /// All rules of a document together may take forty times as many steps. In a document with more rules than that,
    /// each may take an equal share, and two more steps for each value that it consists of itself.
    public var maximumSteps: Int
    /// The maximum number of bytes of UTF-8 in a text that a rule makes.
    public var maximumTextLength: Int

    static let depthCeiling = 64

    /// Makes limits, with defaults for those that are not given.
    public init(
        maximumDepth: Int = 64, maximumSize: Int = 100_000, maximumSteps: Int = 100_000, maximumTextLength: Int = 65_536
    ) {
        self.maximumDepth = min(max(1, maximumDepth), Self.depthCeiling)
        self.maximumSize = maximumSize
        self.maximumSteps = maximumSteps
        self.maximumTextLength = maximumTextLength
    }

    /// The default limits.
    public static let `default` = TargetingLimits()

    /// Returns the number of steps that the evaluation of a rule may take.
    ///
    /// - Parameters:
    ///   - size: The number of values that the rule consists of: a rule without loops needs about a step for each.
    ///   - ruleCount: The number of rules in the document.
    func steps(forSize size: Int, ofOneAmong ruleCount: Int) -> Int {
        let documentFactor = 40
        guard ruleCount > documentFactor else { return maximumSteps }
        return min(maximumSteps, maximumSteps / ruleCount * documentFactor + 2 * size)
    }
}

/// The reason why an evaluation was stopped. It has no payload, since it passes through every frame of the evaluation.
enum RuleFailure: UInt8, Error, Sendable {
    case tooManySteps
    case textTooLong
    case valueTooDeep
    /// The rule gave an object or an empty list.
    case noVariant

    /// Returns the message for an error that the evaluation of a rule threw.
    static func message(_ error: any Error, _ rule: CompiledRule) -> String {
        let limits = rule.settings.limits
        let share = rule.maximumSteps < limits.maximumSteps ? ", its share of what all rules may do" : ""
        return switch error as? RuleFailure ?? .tooManySteps {
        case .tooManySteps:
            "the rule was given up after \(rule.maximumSteps) steps\(share); make it simpler or raise the limit"
        case .textTooLong:
            "the rule made a text of more than \(limits.maximumTextLength.byteText); make it simpler or raise the limit"
        case .valueTooDeep:
            "the rule met a value nested more than \(TargetingLimits.depthCeiling) levels deep; make it flatter"
        case .noVariant:
            "the rule gave an object or an empty list, which names no variant; give each operation one operator with a list"
        }
    }
}
