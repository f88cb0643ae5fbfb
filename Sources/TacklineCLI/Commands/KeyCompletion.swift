#if CommandLine
    import ArgumentParser

    extension CompletionKind {
        /// The keys of the file that the command line names before them.
        static var flagKeys: CompletionKind {
            .custom { words, _, prefix in CompletionKeys.keys(in: words, beginningWith: prefix) }
        }
    }
#endif
