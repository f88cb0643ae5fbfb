#if CommandLine
    import ArgumentParser

    /// For commands on values that take a file for them whatever it looks like.
    struct ContentOptions: ParsableArguments {
        @Option(
            name: .customLong("as"), help: "What the file holds, if not what it looks like: values, flagd or manifest.")
        var name: ContentName?
    }

    /// What a file holds, as it is typed.
    enum ContentName: String, ExpressibleByArgument, CaseIterable {
        case values, flagd, manifest
    }
#endif
