#if CommandLine
    import TacklineTargeting

    /// A file that cannot be used at all.
    struct FlagFileError: Error {
        let finding: Finding

        init(_ input: InputFile, _ position: TextPosition?, _ message: String) {
            finding = Finding(severity: .error, path: input.path, position: position, message: message)
        }
    }
#endif
