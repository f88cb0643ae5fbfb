#if CommandLine
    import TacklineCore
    import TacklineTerminal

    /// The values that a migration found, with those that were written.
    struct MigrationOutcome {
        struct Value {
            let key: String
            let oldKey: String
            /// The text between the names of the key.
            let separator: String
            let value: EncodedFlagValue
        }

        struct Refusal {
            let key: String
            let oldKey: String
            let message: String
        }

        /// The values that are written, or would be.
        var values: [Value] = []
        /// The values that the target already has and keeps.
        private(set) var kept: [Value] = []
        /// The values that the flags' types refuse.
        var refused: [Refusal] = []
        /// The old keys that belong to no flag.
        var unclaimed: [String] = []
        /// The file that was written; `nil` if none was.
        var target: String?

        /// Moves the values that the target already has from ``values`` to ``kept``.
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
