#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTargeting

    /// A change of the share of users that get a variant, in the text of flag definitions.
    struct RolloutEdit {
        /// The file before the edit.
        let file: FlagFile
        /// The file after the edit.
        private(set) var result: FlagFile
        /// Remarks for the user, a line each.
        private(set) var remarks: [String] = []
        /// The variant whose share was set.
        private(set) var variant = ""

        /// The text after the edit.
        var bytes: [UInt8] { result.input.bytes }

        private let key: String

        /// Edits a document.
        ///
        /// - Parameters:
        ///   - variant: The variant whose share is set; `nil` for the first of the split. A new rule uses "on" or else
        ///     the first variant whose value is `true`.
        ///   - replacesRule: Whether a rule that is not a plain split may be replaced.
        init(
            _ file: FlagFile, key: String, share: RolloutShare, variant: String?, replacesRule: Bool
        ) throws(CommandFailure) {
            self.file = file
            self.key = key
            result = file
            guard file.format == .json else { throw CommandFailure("\(file.path) is not JSON; convert it first.") }
            let definitions = try file.definitions()
            guard let definition = definitions.flags[key] else {
                let advice = KeySuggestion(definitions.flags.keys).advice(
                    for: key, otherwise: "tackline simulate lists the flags")
                throw CommandFailure("\(file.path) has no flag \"\(key)\"; \(advice)")
            }
            if let error = definition.error { throw CommandFailure("\(file.path): flag \"\(key)\": \(error).") }
            let names = definition.variants.keys.sorted()
            if let variant, !names.contains(variant) {
                let list = DefinitionsEdit.list(names)
                throw CommandFailure("Flag \"\(key)\" has no variant \"\(variant)\"; the variants are \(list).")
            }
            let flagPath = file.path(ofFlag: key)
            let splits = definition.targeting.map { RolloutEdit.splits(in: $0, at: flagPath + ["targeting"]) } ?? []
            if splits.count == 1, let split = splits.first,
                let parts = RolloutEdit.parts(of: split.value, at: split.path)
            {
                try change(parts, share: share, variant: variant)
            } else if definition.targeting == nil || replacesRule {
                try writeRule(definition, at: flagPath, share: share, variant: variant)
            } else {
                let count =
                    switch splits.count {
                    case 0: "no split of its own"
                    case 1: "a split that is computed"
                    default: "\(splits.count) splits"
                    }
                throw CommandFailure(
                    """
                    Flag "\(key)" has a rule with \(count), so it is not clear which weights to change; edit the rule, \
                    or replace it with --replace-rule.
                    """)
            }
            if let error = try result.definitions().flags[key]?.error {
                throw CommandFailure("The edit would break the flag: \(error).")
            }
            if !definition.isEnabled { remarks.append("The flag is disabled, so the rollout has no effect yet.") }
        }

        // MARK: Finding the split

        private struct Part {
            let variant: String
            let weight: Int
            let path: [String]
            /// The number of elements in its list. It is 1 if the weight is left out, which means a weight of 1.
            let count: Int
        }

        /// Returns every `fractional` of a rule. Recursion is limited by the depth that the reader accepts.
        private static func splits(in value: EncodedFlagValue, at path: [String]) -> [(
            path: [String], value: EncodedFlagValue
        )] {
            switch value {
            case .object(let members):
                members.flatMap { name, inner in
                    name == "fractional" ? [(path + [name], inner)] : splits(in: inner, at: path + [name])
                }
            case .array(let elements):
                elements.enumerated().flatMap { splits(in: $1, at: path + [String($0)]) }
            default: []
            }
        }

        /// Returns the shares of a split that spells out all variants and weights; `nil` for any other split.
        private static func parts(of split: EncodedFlagValue, at path: [String]) -> [Part]? {
            guard case .array(let elements) = split else { return nil }
            var parts: [Part] = []
            for (position, element) in elements.enumerated() {
                guard case .array(let pair) = element else {
                    // The first element may be the expression by which users are split.
                    if position == 0 { continue }
                    return nil
                }
                guard (1...2).contains(pair.count), case .string(let variant) = pair[0] else { return nil }
                var weight = 1
                if pair.count == 2 {
                    guard case .integer(let number) = pair[1], (0...Int128(Int32.max)).contains(number) else {
                        return nil
                    }
                    weight = Int(number)
                }
                parts.append(Part(variant: variant, weight: weight, path: path + [String(position)], count: pair.count))
            }
            return parts.count >= 2 ? parts : nil
        }

        // MARK: Editing

        private mutating func change(_ parts: [Part], share: RolloutShare, variant: String?) throws(CommandFailure) {
            guard let position = variant.map({ name in parts.firstIndex { $0.variant == name } }) ?? 0 else {
                throw CommandFailure(
                    "The split of flag \"\(key)\" does not mention the variant \"\(variant ?? "")\"; edit the rule.")
            }
            self.variant = parts[position].variant
            if position != 0 {
                remarks.append(
                    """
                    "\(self.variant)" does not stand first in the split, so users may lose other variants when its share \
                    grows; put it first.
                    """)
            }
            var others = parts
            others.remove(at: position)
            let weights = share.weights(atPosition: position, others: others.map(\.weight))
            var edit = FlagJSONEdit(bytes)
            for (part, weight) in zip(parts, weights) where part.weight != weight || part.count == 1 {
                let written: Bool?
                if part.count == 2 {
                    written = try? edit.set(.integer(Int128(weight)), at: part.path + ["1"])
                } else {
                    written = try? edit.set([.string(part.variant), .integer(Int128(weight))], at: part.path)
                }
                guard written == true else {
                    throw CommandFailure("The weights of flag \"\(key)\" could not be changed; edit the rule by hand.")
                }
            }
            result = try FlagFile(InputFile(path: file.path, bytes: edit.result))
        }

        private mutating func writeRule(
            _ definition: FlagDefinition, at path: [String], share: RolloutShare, variant: String?
        ) throws(CommandFailure) {
            let names = definition.variants.keys.sorted()
            let isTrue = names.first { definition.variants[$0] == true }
            guard let growing = variant ?? (names.contains("on") ? "on" : isTrue) else {
                throw CommandFailure("Say which variant of flag \"\(key)\" gets the share, with --variant.")
            }
            let others = names.filter { $0 != growing }
            guard
                let rest = definition.defaultVariant == growing
                    ? others.first : definition.defaultVariant ?? others.first,
                definition.defaultVariant != growing || others.count == 1
            else {
                throw CommandFailure(
                    "It is not clear which variant of flag \"\(key)\" the others get; write a rule first.")
            }
            self.variant = growing
            let rule: EncodedFlagValue = [
                "fractional": [
                    [.string(growing), .integer(Int128(share.weight))],
                    [.string(rest), .integer(Int128(share.total - share.weight))],
                ]
            ]
            remarks.append(
                definition.targeting == nil
                    ? "The flag had no rule; one with a split was added." : "The flag's rule was replaced by a split.")
            var edit = FlagJSONEdit(bytes)
            guard (try? edit.set(rule, at: path + ["targeting"])) == true else {
                throw CommandFailure("The rule of flag \"\(key)\" could not be written; edit it by hand.")
            }
            result = try FlagFile(InputFile(path: file.path, bytes: edit.result))
        }
    }
#endif
