public import TacklineCore

extension FlagError.Code {
    /// Two flags share an environment variable.
    public static let sharedVariable = FlagError.Code("shared-variable")
    /// An argument was given as one for a flag but can't be read.
    public static let malformedArgument = FlagError.Code("malformed-argument")
    /// Two launch arguments give a flag different values.
    public static let repeatedArgument = FlagError.Code("repeated-argument")
    /// A launch argument for a flag that takes its value from elsewhere.
    public static let ineffectiveArgument = FlagError.Code("ineffective-argument")
    /// Launch arguments for flags that a release build doesn't read.
    public static let ignoredArguments = FlagError.Code("ignored-arguments")
    /// A line of a `.env` file can't be read and is ignored.
    public static let unreadableLine = FlagError.Code("unreadable-line")
}
