#if CommandLine
    /// How the tool ends, as scripts and CI see it: the same for every command, after `diff` and `grep`.
    enum CommandStatus: Int32, CaseIterable {
        /// All is well.
        case success = 0
        /// The command did its work and found something: a mistake, a difference, no value.
        case findings = 1
        /// The command could not do its work: a file is missing, broken or refused, nobody answers.
        case trouble = 2
        /// The command line itself is wrong. The number is that of ArgumentParser and of `sysexits.h`.
        case usage = 64
        /// The output could not be written, for example because the disk is full.
        case output = 74

        /// What stands in the table of the guide and in the tool's help.
        var meaning: String {
            switch self {
            case .success: "All is well."
            case .findings: "Something was found: a mistake, a difference, no value."
            case .trouble: "It could not be done: a file is missing, broken or refused, or nobody answers."
            case .usage: "The command line itself is wrong."
            case .output: "The output could not be written: the disk is full."
            }
        }
    }
#endif
