public import TacklineCore

extension FlagIssue.Code {
    /// A value was given from outside for a flag that does not exist.
    public static let unknownFlag = FlagIssue.Code("unknown-flag")
    /// Two flags have one environment variable.
    public static let sharedVariable = FlagIssue.Code("shared-variable")
    /// An argument looks like one for a flag and cannot be read.
    public static let malformedArgument = FlagIssue.Code("malformed-argument")
}
