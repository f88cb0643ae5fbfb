#if CommandLine
    import ArgumentParser

    /// A form, as it is typed.
    enum ManifestFormat: String, ExpressibleByArgument, CaseIterable {
        case table, json, openfeature
    }
#endif
