#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    struct ExplainCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Says what a file answers for a flag, and why.",
            discussion: """
                For a value file it prints the value and its place; for flag definitions the path through the rule: each \
                condition with its result, the attributes that it used, and the user's place in a split. With a manifest it \
                also prints the flag's type and default, and whether the app would accept the value.

                  tackline explain flags.json secrets/boom_feature --manifest manifest.json
                  tackline explain rollout.flagd.json reservations --user ann
                  tackline explain rollout.flagd.json reservations --user ann --attribute plan=gold
                """
        )

        @Argument(help: "The value file, or flag definitions.", completion: .file()) var file: String
        @Argument(help: "The key.") var key: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(help: "The targeting key of the user for whom a rule is evaluated.") var user: String?
        @Option(
            name: .customLong("attribute"),
            help: ArgumentHelp(
                "An attribute of the user, as JSON or a text; several times for several.",
                valueName: "name=value"))
        var attributes: [String] = []
        @OptionGroup var options: ContentOptions
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let context = try EvaluationContext(key: user, attributes)
            let index = try manifest.map(ManifestIndex.init(path:))
            let file = try FlagFile(path: file, as: options.content)
            var explanation = ValueExplanation(key: key, path: file.path, flag: index?.flag(at: [key]))
            if let index, explanation.flag == nil {
                let advice = index.suggestion.advice(for: key, otherwise: "tackline manifest lists the flags")
                explanation.remarks.append("The manifest has no flag with this key; \(advice)")
            }
            switch file.content {
            case .values: explanation.take(file, index?.keyPath(key) ?? FlagKeyPath(key))
            case .flagd: explanation.take(try file.definitions(fractional.generation), context)
            case .manifest:
                throw CommandFailure("\(file.path) holds a manifest; name a value file, and give this as --manifest.")
            }
            try output.print("explain", explanation.members) { _ in explanation.text }
        }
    }

    /// An explanation of the value that one file gives for one key.
    struct ValueExplanation {
        let key: String
        let path: String
        let flag: FlagManifest.Entry?
        var remarks: [String] = []
        private(set) var answer: EncodedFlagValue?
        private(set) var reason = ""
        private(set) var reasoning: FlagReasoning?

        /// Explains the value in a value file.
        mutating func take(_ file: FlagFile, _ keyPath: FlagKeyPath) {
            let value = file.document.value(for: keyPath)
            let isFlat = file.members[keyPath.text] != nil
            let path = isFlat ? [keyPath.text] : keyPath.components
            let place = value == nil ? nil : file.locate([path])[0].map { " at line \($0.line), column \($0.column)" }
            switch value {
            case nil: reason = "no value"
            case .null?: reason = "null\(place ?? ""), which means no opinion"
            case let value?:
                reason = "\(ValueArgument.json(value))\(place ?? ""), as \(isFlat ? "a flat key" : "a nested value")"
                answer = value
            }
            check()
        }

        /// Explains the result of flag definitions.
        mutating func take(_ definitions: FlagDefinitions, _ context: EvaluationContext) {
            guard let definition = definitions.flags[key] else {
                reason = "no such flag"
                let advice = KeySuggestion(definitions.flags.keys).nearest(to: key)
                if let advice { remarks.append("Did you mean \"\(advice)\"?") }
                return
            }
            let evaluation = definitions.evaluate(key, for: context)
            reasoning = definition.reasoning(for: context)
            let names = definition.variants.keys.sorted().map {
                "\($0) = \(ValueArgument.json(definition.variants[$0] ?? .null))"
            }
            let who = context.targetingKey.map { "for the user \"\($0)\"" } ?? "without a user"
            if let value = evaluation.value {
                answer = value
                reason = "\(ValueArgument.json(value)) \(who): \(evaluation)"
            } else if let code = evaluation.errorCode {
                reason = "an error \(who): \(evaluation.errorMessage ?? "\(code)")"
            } else {
                reason = "no opinion \(who): \(evaluation)"
            }
            remarks.append(
                "Variants: \(names.joined(separator: ", ")); default: \(definition.defaultVariant ?? "none").")
            check()
        }

        private mutating func check() {
            guard let flag, let answer else { return }
            do {
                _ = try flag.type.normalized(answer)
            } catch {
                remarks.append("The app refuses this value: \(error). The next provider is asked instead.")
                self.answer = nil
            }
        }

        var text: String {
            var lines = ["\(key)", "  \(path): \(reason)"]
            if let flag {
                let name = flag.type.name.isEmpty ? "" : " (\(flag.type.name))"
                lines.append("  type: \(flag.type.phrase)\(name)")
                lines.append("  default: \(flag.defaultValue.map { ValueArgument.json($0) } ?? "not known")")
                if !flag.description.isEmpty { lines.append("  about: \(flag.description)") }
                if let owner = flag.owner { lines.append("  owner: \(owner)") }
                if let date = flag.expiryDate { lines.append("  expires: \(date.dayText)") }
                if flag.isComputed { lines.append("  computed: its own value in code comes before this file") }
            }
            lines += (reasoning?.lines ?? []).map { "  \($0)" }
            lines += remarks.map { "  \($0)" }
            if answer == nil {
                lines.append("  result: this file does not answer; the next provider, or the default, does")
            }
            return lines.lines
        }

        /// The explanation for programs.
        var members: [String: EncodedFlagValue] {
            var members: [String: EncodedFlagValue] = [
                "key": .string(key), "path": .string(path), "isAnswered": .bool(answer != nil),
                "reason": .string(reason),
                "remarks": .texts(remarks),
            ]
            members["value"] = answer
            if let reasoning { members.merge(reasoning.members) { known, _ in known } }
            if let flag {
                members["type"] = .string(flag.type.phrase)
                members["default"] = flag.defaultValue
            }
            return members
        }
    }
#endif
