public import TacklineCore

extension FlagIssue.Code {
    /// Two flags share an environment variable.
    public static let sharedVariable = FlagIssue.Code("shared-variable")
    /// An argument was given as one for a flag but can't be read.
    public static let malformedArgument = FlagIssue.Code("malformed-argument")
    /// Two launch arguments give a flag different values.
    public static let repeatedArgument = FlagIssue.Code("repeated-argument")
    /// A launch argument for a flag that takes its value from elsewhere.
    public static let ineffectiveArgument = FlagIssue.Code("ineffective-argument")
    /// Launch arguments for flags that a release build doesn't read.
    public static let ignoredArguments = FlagIssue.Code("ignored-arguments")
    /// A line of a `.env` file can't be read and is ignored.
    public static let unreadableLine = FlagIssue.Code("unreadable-line")
}
