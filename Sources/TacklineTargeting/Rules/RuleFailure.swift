/// Why an evaluation was given up. Without a payload, since it travels through every frame of the evaluator.
enum RuleFailure: UInt8, Error, Sendable {
    case tooManySteps
    case textTooLong
    case valueTooDeep

    func message(_ limits: TargetingLimits) -> String {
        switch self {
        case .tooManySteps:
            "the rule was given up after \(limits.maximumSteps) steps; make it simpler or raise the limit"
        case .textTooLong:
            "the rule made a text of more than \(limits.maximumTextLength) bytes; make it simpler or raise the limit"
        case .valueTooDeep:
            "the rule met a value nested more than \(TargetingLimits.depthCeiling) levels deep; make it flatter"
        }
    }
}
