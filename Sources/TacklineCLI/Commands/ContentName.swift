#if CommandLine
    import ArgumentParser

    /// What a file holds, as it is typed.
    enum ContentName: String, ExpressibleByArgument, CaseIterable {
        case values, flagd, manifest
    }
#endif
