#if CommandLine
    import TacklineCore
    import TacklineTerminal

    /// What a migration found, and what of it was written.
    struct MigrationOutcome {
        struct Value {
            let key: String
            let oldKey: String
            /// What stands between the names of the key.
            let separator: String
            let value: EncodedFlagValue
        }

        struct Refusal {
            let key: String
            let oldKey: String
            let message: String
        }

        /// What is written, or would be.
        var values: [Value] = []
        /// What the target has already.
        private(set) var kept: [Value] = []
        /// What the flags' types do not take.
        var refused: [Refusal] = []
        /// The old keys that no flag has.
        var unclaimed: [String] = []
        /// The file that was written; `nil` if none was.
        var target: String?

        /// Takes out of what is written what is there already.
        mutating func keep(where isThere: (Value) -> Bool) {
            kept = values.filter(isThere)
            values.removeAll(where: isThere)
        }

        func text(_ style: TextStyle) -> String {
            func from(_ key: String, _ oldKey: String) -> String { key == oldKey ? "" : " (from \(oldKey))" }
            var lines = values.map { "\($0.key) = \(ValueArgument.json($0.value))\(from($0.key, $0.oldKey))" }
            lines += kept.map { "\($0.key) has a value already; it stays\(from($0.key, $0.oldKey))" }
            let plain = lines.map { SafeText.line($0, limit: .max) }
            var marked = refused.map { refusal in
                let text = "\(refusal.key)\(from(refusal.key, refusal.oldKey)): \(refusal.message)"
                return "\(style.red("does not fit:")) \(SafeText.line(text, limit: .max))"
            }
            marked += unclaimed.map { "\(style.cyan("no flag has")) \(SafeText.line($0, limit: .max))" }
            let count = "\(values.count) \(values.count == 1 ? "value" : "values")"
            let end = target.map { "\(count) written to \($0)." } ?? "\(count) found; --write names the file for them."
            return (plain + marked + [end]).joined(separator: "\n") + "\n"
        }

        func json() throws(CommandFailure) -> String {
            func list(_ values: [Value]) -> EncodedFlagValue {
                .array(values.map { ["key": .string($0.key), "oldKey": .string($0.oldKey), "value": $0.value] })
            }
            let refused = refused.map { refusal -> EncodedFlagValue in
                [
                    "key": .string(refusal.key), "oldKey": .string(refusal.oldKey),
                    "message": .string(refusal.message),
                ]
            }
            return try JSONReport.text(
                "migrate",
                [
                    "values": list(values), "kept": list(kept), "refused": .array(refused),
                    "unclaimed": .array(unclaimed.map { .string($0) }), "isWritten": .bool(target != nil),
                ])
        }
    }
#endif
