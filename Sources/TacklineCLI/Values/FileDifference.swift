#if CommandLine
    import TacklineCore
    import TacklineTargeting

    /// The differences between two files with the same kind of content.
    enum FileDifference {
        case values(ValueDifference)
        case definitions(DefinitionsDifference)

        /// - Parameters:
        ///   - generation: The generation of `fractional` for the splits of both files.
        ///   - newGeneration: The generation for the new file, if it differs.
        init(
            from old: String, to new: String, users: String, generation: FractionalGeneration = .v2,
            newGeneration: FractionalGeneration? = nil
        ) throws(CommandFailure) {
            let users = try Users(users)
            let (old, new) = (try FlagFile(path: old), try FlagFile(path: new))
            switch (old.content, new.content) {
            case (.values, .values): self = .values(ValueDifference(from: old, to: new))
            case (.flagd, .flagd):
                let progress = ProgressReport("Comparing")
                self = .definitions(
                    try DefinitionsDifference(
                        from: old, generation, to: new, newGeneration ?? generation, users: users, progress: progress))
            default:
                throw CommandFailure(
                    """
                    \(old.path) holds \(old.content.phrase) and \(new.path) holds \(new.content.phrase); compare two value \
                    files or two files of flag definitions. tackline convert turns one into the other.
                    """)
            }
        }

        var isEmpty: Bool {
            switch self {
            case .values(let difference): difference.isEmpty
            case .definitions(let difference): difference.isEmpty
            }
        }

        func text(_ style: TextStyle) -> String {
            switch self {
            case .values(let difference): difference.text(style)
            case .definitions(let difference): difference.text(style)
            }
        }

        func json() throws(CommandFailure) -> String {
            switch self {
            case .values(let difference): try JSONReport.text("diff", difference.json)
            case .definitions(let difference): try JSONReport.text("diff", difference.json)
            }
        }
    }
#endif
