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
    /// The number of evaluations with all their steps that a document may cost.
    private static let documentFactor = 40

    /// Returns the number of steps that each of a document's rules may take, whatever its size.
    func steps(ofOneAmong ruleCount: Int) -> Int {
        guard ruleCount > Self.documentFactor else { return maximumSteps }
        let (all, isTooMuch) = maximumSteps.multipliedReportingOverflow(by: Self.documentFactor)
        return isTooMuch ? maximumSteps : all / ruleCount
    }

    /// Returns the number of steps for finding the next second at which one of a document's flags changes.
    ///
    /// A rollout over time takes about a thousand, so that a document of ordinary flags has enough, whatever its size.
    func steps(ofOutlooksOf flagCount: Int) -> Int {
        let (few, isTooMuch) = maximumSteps.multipliedReportingOverflow(by: 4)
        let (many, isTooMany) = flagCount.multipliedReportingOverflow(by: 4_000)
        return isTooMuch || isTooMany ? .max : max(few, many)
    }

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
}
