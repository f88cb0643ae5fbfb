#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting
    import TacklineTerminal

    /// The work of `get`, `set`, `unset` and `explain`.
    struct ValueCommands {
        let path: String
        let index: ManifestIndex?
        /// The content of the file; `nil` to recognize it from its members.
        let content: FlagFile.Content?

        init(path: String, manifest: String?, as content: ContentName? = nil) throws(CommandFailure) {
            self.path = path
            self.content = content?.content
            index = try manifest.map { path throws(CommandFailure) in try ManifestIndex(path: path) }
        }

        /// Returns the text of a key's value.
        ///
        /// - Parameter isTerminal: Whether the output is a terminal. Control characters are then escaped.
        /// - Throws: If there is no value, with the most similar key.
        func get(_ key: String, isJSON: Bool, isTerminal: Bool) throws(CommandFailure) -> String {
            let file = try FlagFile(path: path, as: content)
            try file.requireValues()
            guard let value = file.document.value(for: keyPath(key)) else {
                let advice = KeySuggestion(file.keys).advice(for: key, otherwise: "tackline set adds one")
                throw CommandFailure("\(path) has no value for \"\(key)\"; \(advice)", status: .findings)
            }
            if isJSON { return try JSONReport.text("get", ["key": .string(key), "value": value]) }
            guard isTerminal else { return ValueArgument.line(value) + "\n" }
            return SafeText.lines(ValueArgument.line(value), limit: .max).joined(separator: "\n") + "\n"
        }

        /// Sets a value and returns a report.
        ///
        /// - Parameter changesType: Whether the value may have another type than the one in the file.
        func set(
            _ key: String, to text: String, isString: Bool, changesType: Bool, isJSON: Bool
        ) throws(CommandFailure) -> String {
            guard keyPath(key).components.allSatisfy({ !$0.isEmpty }) else {
                throw CommandFailure("No flag has the key \"\(key)\": a name in it is empty.", status: .usage)
            }
            let flag = try index.map { index throws(CommandFailure) in try index.require(key) }
            let value = try ValueArgument.value(text, isString: isString, for: flag)
            let outcome = try ValueFileEdit.apply(
                [(key, value)], separator: keyPath(key).separator, as: content, to: path
            ) { before throws(CommandFailure) in
                guard flag == nil, !isString, !changesType else { return }
                try ValueArgument.check(value, typed: text, for: key, over: before[key] ?? nil)
            }
            let before = outcome.before[key] ?? nil
            if isJSON {
                var members: [String: EncodedFlagValue] = [
                    "key": .string(key), "new": value, "keepsLayout": .bool(outcome.keepsLayout),
                ]
                members["old"] = before
                return try JSONReport.text("set", members)
            }
            let was =
                before.map { $0 == value ? ", as before" : " (was \(ValueArgument.json($0)))" } ?? " (had no value)"
            return SafeText.line("\(key) = \(ValueArgument.json(value))\(was)", limit: .max) + "\n" + note(outcome)
        }

        /// Removes values and returns a report. Missing keys are reported after the others were removed.
        func unset(_ keys: [String], isJSON: Bool) throws(CommandFailure) -> (text: String, isComplete: Bool) {
            // Without this check, the removal would create a missing file.
            if path != "-" { _ = try FlagFile(path: path, as: content) }
            let outcome = try ValueFileEdit.apply(keys.map { ($0, nil) }, as: content, to: path)
            let isComplete = keys.allSatisfy { (outcome.before[$0] ?? nil) != nil }
            if isJSON {
                let removed = keys.filter { (outcome.before[$0] ?? nil) != nil }
                let report = try JSONReport.text(
                    "unset",
                    [
                        "removed": .array(removed.map { .string($0) }),
                        "absent": .array(keys.filter { !removed.contains($0) }.map { .string($0) }),
                    ])
                return (report, isComplete)
            }
            let lines = keys.map { key in
                (outcome.before[key] ?? nil).map { "\(key) removed (was \(ValueArgument.json($0)))" }
                    ?? "\(key) had no value"
            }
            let safe = lines.map { SafeText.line($0, limit: .max) }
            return (safe.joined(separator: "\n") + "\n" + note(outcome), isComplete)
        }

        private func note(_ outcome: ValueFileEdit.Outcome) -> String {
            outcome.keepsLayout ? "" : "\(SafeText.line(path)) was written anew, sorted by key.\n"
        }

        /// Returns the value that the file gives for a key, with the reason.
        func explain(
            _ key: String, _ context: EvaluationContext, _ generation: FractionalGeneration, isJSON: Bool
        ) throws(CommandFailure) -> String {
            let file = try FlagFile(path: path, as: content)
            var explanation = ValueExplanation(key: key, path: path, flag: index?.flag(at: [key]))
            if let index, index.flag(at: [key]) == nil {
                let advice = index.suggestion.advice(for: key, otherwise: "tackline manifest lists the flags")
                explanation.remarks.append("The manifest has no flag of this key; \(advice)")
            }
            switch file.content {
            case .values: explanation.take(file, keyPath(key))
            case .flagd: explanation.take(try file.definitions(generation), context)
            case .manifest:
                throw CommandFailure("\(path) holds a manifest; name a value file, and give this as --manifest.")
            }
            return isJSON ? try explanation.json() : explanation.text
        }

        /// Returns the key path of a key, with the separator of its collection.
        private func keyPath(_ key: String) -> FlagKeyPath {
            let collection = index?.manifest.collections.first { $0.flags.contains { $0.key == key } }
            return FlagKeyPath(key, separator: collection?.separator ?? FlagKeyPath.defaultSeparator)
        }
    }

    extension FlagFile {
        /// The keys of all values, groups included, sorted. Nested ones are paths.
        var keys: [String] { document.keys { _ in true } }

        /// The keys of all values except groups that are not empty.
        var leafKeys: [String] { document.leafKeys }
    }

    extension FlagDocument {
        /// The keys of all values except groups that are not empty, sorted.
        var leafKeys: [String] {
            keys { value in
                if case .object(let members) = value { members.isEmpty } else { true }
            }
        }

        fileprivate func keys(where isIncluded: (EncodedFlagValue) -> Bool) -> [String] {
            var keys: [String] = []
            var pending: [(path: [String], value: EncodedFlagValue)] = []
            for (name, value) in root where name != "$schema" {
                // The marks that a group is no value have no key.
                guard let key = FlagDocument.key(ofMember: name) else { continue }
                if name.hasPrefix("/") {
                    // A flat key whose object is a value.
                    keys.append(key.text)
                } else {
                    pending.append(([name], value))
                }
            }
            while let (path, value) = pending.popLast() {
                if isIncluded(value) { keys.append(path.joined(separator: FlagKeyPath.defaultSeparator)) }
                if case .object(let inner) = value, path.count < EncodedFlagValue.maximumDepth {
                    pending += inner.map { (path + [$0.key], $0.value) }
                }
            }
            return Set(keys).sorted()
        }
    }
#endif
