#if CommandLine
    import ArgumentParser

    /// A format, as it is typed.
    enum TargetFormat: String, ExpressibleByArgument, CaseIterable {
        case json, plist, flagd
        case binaryPlist = "binary-plist"
    }
#endif
