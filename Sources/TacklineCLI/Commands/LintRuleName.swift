#if CommandLine
    import ArgumentParser

    /// A rule, as it is typed.
    enum LintRuleName: String, ExpressibleByArgument, CaseIterable {
        case expired, owner, unused
    }
#endif
