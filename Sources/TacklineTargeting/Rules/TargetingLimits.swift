/// Bounds for a rule, so that a hostile or broken document costs an error of one flag and nothing else.
///
/// The defaults leave room for any rule a person would write, and an evaluation that exhausts them ends within
/// milliseconds. A rule beyond ``maximumDepth`` or ``maximumSize`` is refused when the document is read; the other bounds
/// are checked while a rule is evaluated.
public struct TargetingLimits: Hashable, Sendable {
    /// How deeply operators and lists of a rule may be nested. Never more than 64, whatever is set: a rule is evaluated on
    /// the caller's stack.
    public var maximumDepth: Int {
        didSet { maximumDepth = min(max(1, maximumDepth), Self.depthCeiling) }
    }
    /// How many values a flag's rule may consist of, the `$evaluators` it refers to included. All flags of a document together
    /// may take ten times as many from its `$evaluators` and its metadata.
    public var maximumSize: Int
    /// How much work one evaluation may do. Each operator, each element visited and each 16 bytes of text made cost one
    /// step, so this bounds memory as well.
    public var maximumSteps: Int
    /// How many bytes of UTF-8 a text made by a rule may have.
    public var maximumTextLength: Int

    static let depthCeiling = 64

    /// How many values all flags of a document together may take from its evaluators and its metadata.
    var maximumSharedSize: Int { maximumSize.multipliedReportingOverflow(by: 10).overflow ? .max : maximumSize * 10 }

    /// Makes limits; what is not given is the default.
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
