import TacklineFiles

/// The reason why an evaluation was stopped. It has no payload, since it passes through every frame of the evaluator.
enum RuleFailure: UInt8, Error, Sendable {
    case tooManySteps
    case textTooLong
    case valueTooDeep
    /// The rule gave an object or an empty list.
    case noVariant

    func message(_ program: RuleProgram) -> String {
        let limits = program.settings.limits
        return switch self {
        case .tooManySteps:
            "the rule was given up after \(program.maximumSteps) steps\(program.maximumSteps < limits.maximumSteps ? ", its share of what all rules may do" : ""); "
                + "make it simpler or raise the limit"
        case .textTooLong:
            "the rule made a text of more than \(limits.maximumTextLength.byteText); make it simpler or raise the limit"
        case .valueTooDeep:
            "the rule met a value nested more than \(TargetingLimits.depthCeiling) levels deep; make it flatter"
        case .noVariant:
            "the rule gave an object or an empty list, which names no variant; give each operation one operator with a list"
        }
    }
}
