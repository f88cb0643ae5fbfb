#if CommandLine
    /// How the tool ends, as scripts and CI see it.
    enum CommandStatus: Int32 {
        /// All is well.
        case success = 0
        /// Something was found, or could not be done.
        case findings = 1
        /// The command line itself is wrong. The number is that of ArgumentParser and of `sysexits.h`.
        case usage = 64
        /// The output could not be written, for example because the disk is full.
        case output = 74
    }
#endif
