#if CommandLine
    import TacklineCore
    import TacklineTargeting
    import TacklineTerminal

    /// The work of `rollout`.
    struct RolloutJob {
        let path: String
        let key: String
        let variant: String?
        let replacesRule: Bool
        let generation: FractionalGeneration

        private static let userCount = 10_000

        /// Edits the file and returns a report of the effect.
        ///
        /// - Parameter isTrial: Whether the file stays unchanged.
        func run(percentage: String, isTrial: Bool, isJSON: Bool) throws(CommandFailure) -> String {
            guard let share = RolloutShare(percentage: percentage) else {
                throw CommandFailure(
                    "\"\(percentage)\" is not a percentage; say a number from 0 to 100, such as 12.5.", status: .usage)
            }
            var report = ""
            if isTrial {
                return try edited(InputFile(path: path), share, isTrial: true, isJSON: isJSON).report
            }
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                guard let bytes else { throw CommandFailure("\(path) is not there; check the spelling.") }
                let input = InputFile(path: path, bytes: bytes)
                let result = try edited(input, share, isTrial: false, isJSON: isJSON)
                report = result.report
                return result.bytes
            }
            return report
        }

        private func edited(
            _ input: InputFile, _ share: RolloutShare, isTrial: Bool, isJSON: Bool
        ) throws(CommandFailure) -> (bytes: [UInt8], report: String) {
            let file = try read(input)
            let edit = try RolloutEdit(file, key: key, share: share, variant: variant, replacesRule: replacesRule)
            let (before, after) = (
                try file.definitions(generation),
                try read(InputFile(path: path, bytes: edit.bytes)).definitions(generation)
            )
            if let error = after.flags[key]?.error { throw CommandFailure("The edit would break the flag: \(error).") }
            let comparison = RolloutComparison(of: key, from: before, to: after, users: RolloutJob.userCount)
            let percentage = RolloutJob.text(share)
            if isJSON {
                let report = try JSONReport.text(
                    "rollout",
                    [
                        "key": .string(key), "variant": .string(edit.variant), "percentage": .string(percentage),
                        "isWritten": .bool(!isTrial), "fractional": .string(generation.rawValue),
                        "users": .integer(Int128(RolloutJob.userCount)),
                        "joining": .integer(Int128(comparison.joining(edit.variant))),
                        "leaving": .integer(Int128(comparison.leaving(edit.variant))),
                        "remarks": .array(edit.remarks.map { .string($0) }),
                    ])
                return (edit.bytes, report)
            }
            var lines = ["\(key): \(percentage) % get \"\(edit.variant)\"\(isTrial ? " (nothing was written)" : "")"]
            lines.append(
                """
                Of \(RolloutJob.userCount) synthetic users, \(comparison.joining(edit.variant)) gain it and \
                \(comparison.leaving(edit.variant)) lose it.
                """)
            lines += edit.remarks
            return (edit.bytes, lines.map { SafeText.line($0) }.joined(separator: "\n") + "\n")
        }

        private func read(_ input: InputFile) throws(CommandFailure) -> FlagFile {
            do throws(FlagFileError) {
                return try FlagFile(input)
            } catch {
                throw CommandFailure(error.finding.line())
            }
        }

        /// Returns the percentage without trailing zeros.
        private static func text(_ share: RolloutShare) -> String {
            var text = "\(share.weight * 100 / share.total)"
            var rest = share.weight * 100 % share.total
            if rest > 0 { text += "." }
            while rest > 0 {
                text += "\(rest * 10 / share.total)"
                rest = rest * 10 % share.total
            }
            return text
        }
    }
#endif
