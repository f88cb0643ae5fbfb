#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    struct RolloutCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollout",
            abstract: "Sets how many users get a variant.",
            discussion: """
                Changes the weights of the flag's split in place and leaves the rest of the file as it is. A flag without a \
                rule gets one. Says who gains and who loses what, for 10,000 synthetic users. Users who have the variant \
                keep it when its share grows, as long as it stands first in the split.

                  tackline rollout rollout.flagd.json reservations 25
                  tackline rollout rollout.flagd.json reservations 12.5 --variant on --dry-run
                """
        )

        @Argument(help: "The flag definitions, as JSON.", completion: .file()) var file: String
        @Argument(help: "The key of the flag.") var flag: String
        @Argument(help: "From 0 to 100, with at most five digits behind the point.") var percent: String
        @Option(help: "The variant that gets the share; the first of the split otherwise.") var variant: String?
        @ArgumentParser.Flag(help: "Replace a rule that is more than a split.") var replaceRule = false
        @ArgumentParser.Flag(help: "Only print what would happen.") var dryRun = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            guard let share = RolloutShare(percentage: percent) else {
                throw CommandFailure(
                    "\"\(percent)\" is not a percentage; use a number from 0 to 100, such as 12.5.", status: .usage)
            }
            guard !dryRun else { return try report(edit(InputFile(path: file), share), share, of: "") }
            var done: RolloutEdit?
            try FileWriting.rewrite(file) { bytes throws(CommandFailure) in
                guard let bytes else { throw CommandFailure("\(file) is not there; check the spelling.") }
                let edit = try edit(InputFile(path: file, bytes: bytes), share)
                done = edit
                return edit.result.input.bytes
            }
            if let done { try report(done, share, of: file) }
        }

        private func edit(_ input: InputFile, _ share: RolloutShare) throws(CommandFailure) -> RolloutEdit {
            try RolloutEdit(FlagFile(input), key: flag, share: share, variant: variant, replacesRule: replaceRule)
        }

        private func report(_ edit: RolloutEdit, _ share: RolloutShare, of path: String) throws {
            let users = 10_000
            let (before, after) = (
                try edit.file.definitions(fractional.generation), try edit.result.definitions(fractional.generation)
            )
            let comparison = RolloutComparison(of: flag, from: before, to: after, users: users)
            let (joining, leaving) = (comparison.joining(edit.variant), comparison.leaving(edit.variant))
            let members: [String: EncodedFlagValue] = [
                "key": .string(flag), "variant": .string(edit.variant), "percentage": .string("\(share)"),
                "isWritten": .bool(!dryRun), "fractional": .string(fractional.generation.rawValue),
                "users": .count(users), "joining": .count(joining), "leaving": .count(leaving),
                "remarks": .texts(edit.remarks),
            ]
            try output.print("rollout", members, of: path) { _ in
                let lines = [
                    "\(flag): \(share) % get \"\(edit.variant)\"\(dryRun ? " (nothing was written)" : "")",
                    "Of \(users) synthetic users, \(joining) gain it and \(leaving) lose it.",
                ]
                return (lines + edit.remarks).lines
            }
        }
    }

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

        private let key: String
        private let share: RolloutShare

        /// Edits a document.
        ///
        /// - Parameters:
        ///   - variant: The variant whose share is set; `nil` for the first of the split. A new rule uses "on" or else
        ///     the first variant whose value is `true`.
        ///   - replacesRule: Whether a rule that is not a plain split may be replaced.
        init(
            _ file: FlagFile, key: String, share: RolloutShare, variant: String?, replacesRule: Bool
        ) throws(CommandFailure) {
            (self.file, result, self.key, self.share) = (file, file, key, share)
            let definition = try file.definitions().require(key, in: file.path)
            try file.requireEditableFlags()
            if let error = definition.error { throw CommandFailure("\(file.path): flag \"\(key)\": \(error).") }
            let names = definition.variants.keys.sorted()
            if let variant, !names.contains(variant) {
                let list = DefinitionsEdit.list(names)
                throw CommandFailure("Flag \"\(key)\" has no variant \"\(variant)\"; the variants are \(list).")
            }
            var splits: [RulePart] = []
            RolloutEdit.findSplits(in: definition.targeting ?? .null, at: [], &splits)
            let (path, value): RulePart
            if splits.count == 1, let parts = RolloutEdit.parts(of: splits[0].value) {
                (path, value) = (splits[0].path, try changed(splits[0].value, parts, variant))
            } else if definition.targeting == nil || replacesRule {
                (path, value) = ([], try newRule(definition, variant))
            } else {
                let count =
                    splits.isEmpty
                    ? "no split of its own" : splits.count == 1 ? "a split that is computed" : "\(splits.count) splits"
                throw CommandFailure(
                    """
                    Flag "\(key)" has a rule with \(count), so it is not clear which weights to change; edit the rule, \
                    or replace it with --replace-rule.
                    """)
            }
            var members = EncodedFlagValue.object(file.members)
            members.set(value, at: ["flags", key, "targeting"] + path)
            guard case .object(let new) = members else { return }
            let text = try file.text(holding: new)
            if !text.keepsLayout { remarks.append("\(file.path) was rewritten, sorted by key.") }
            result = try FlagFile(InputFile(path: file.path, bytes: text.bytes))
            if let error = try result.definitions().flags[key]?.error {
                throw CommandFailure("The edit would break the flag: \(error).")
            }
            if !definition.isEnabled { remarks.append("The flag is disabled, so the rollout has no effect yet.") }
        }

        /// A part of a rule with the names and positions that lead to it.
        private typealias RulePart = (path: [String], value: EncodedFlagValue)

        /// Finds every `fractional` of a rule. Recursion is limited by the depth that the reader accepts.
        private static func findSplits(in value: EncodedFlagValue, at path: [String], _ splits: inout [RulePart]) {
            switch value {
            case .object(let members):
                for (name, inner) in members {
                    let here = path + [name]
                    if name == "fractional" {
                        splits.append((here, inner))
                    } else {
                        findSplits(in: inner, at: here, &splits)
                    }
                }
            case .array(let elements):
                for (position, inner) in elements.enumerated() {
                    findSplits(in: inner, at: path + [String(position)], &splits)
                }
            default: break
            }
        }

        /// Returns the shares of a split that spells out all variants, by position; `nil` for any other split.
        private static func parts(
            of split: EncodedFlagValue
        ) -> [(position: Int, variant: String, weight: Int)]? {
            guard case .array(let elements) = split else { return nil }
            var parts: [(position: Int, variant: String, weight: Int)] = []
            for (position, element) in elements.enumerated() {
                guard case .array(let pair) = element else {
                    // The first element may be the expression by which users are split.
                    if position == 0 { continue }
                    return nil
                }
                // Without a weight it is 1.
                guard (1...2).contains(pair.count), case .string(let variant) = pair[0],
                    let weight = try? Int32(encoded: pair.count == 2 ? pair[1] : 1), weight >= 0
                else { return nil }
                parts.append((position, variant, Int(weight)))
            }
            return parts.count >= 2 ? parts : nil
        }

        /// Returns a split with other weights.
        private mutating func changed(
            _ split: EncodedFlagValue, _ parts: [(position: Int, variant: String, weight: Int)], _ variant: String?
        ) throws(CommandFailure) -> EncodedFlagValue {
            guard let place = variant.map({ name in parts.firstIndex { $0.variant == name } }) ?? 0 else {
                throw CommandFailure(
                    "The split of flag \"\(key)\" has no variant \"\(variant ?? "")\"; edit the rule.")
            }
            self.variant = parts[place].variant
            if place != 0 {
                remarks.append(
                    """
                    "\(self.variant)" is not first in the split, so users may lose other variants when its share \
                    grows; put it first.
                    """)
            }
            var others = parts.map(\.weight)
            others.remove(at: place)
            var split = split
            for (part, weight) in zip(parts, share.weights(atPosition: place, others: others)) {
                split.set([.string(part.variant), .integer(Int128(weight))], at: [String(part.position)])
            }
            return split
        }

        private mutating func newRule(
            _ definition: FlagDefinition, _ variant: String?
        ) throws(CommandFailure) -> EncodedFlagValue {
            let names = definition.variants.keys.sorted()
            let isTrue = names.first { definition.variants[$0] == true }
            guard let growing = variant ?? (names.contains("on") ? "on" : isTrue) else {
                throw CommandFailure("Say which variant of flag \"\(key)\" gets the share, with --variant.")
            }
            let others = names.filter { $0 != growing }
            let isDefault = definition.defaultVariant == growing
            guard let rest = isDefault ? others.first : definition.defaultVariant ?? others.first,
                !isDefault || others.count == 1
            else {
                throw CommandFailure(
                    "It is not clear which variant of flag \"\(key)\" the others get; write a rule first.")
            }
            self.variant = growing
            remarks.append(
                definition.targeting == nil
                    ? "The flag had no rule; one with a split was added." : "The flag's rule was replaced by a split.")
            return [
                "fractional": [
                    [.string(growing), .integer(Int128(share.weight))],
                    [.string(rest), .integer(Int128(share.total - share.weight))],
                ]
            ]
        }
    }

    /// A share of all users, exact in decimal: 12.5 % is 125 of 1000.
    struct RolloutShare: Hashable, CustomStringConvertible {
        let weight: Int
        let total: Int
        /// The percentage without trailing zeros.
        let description: String

        /// Reads a percentage such as `10`, `12.5` or `0.01 %`. Returns `nil` unless it is from 0 to 100 and has at
        /// most five decimal places.
        init?(percentage text: String) {
            var text = text[...]
            if text.hasSuffix("%") { text = text.dropLast() }
            while text.last == " " { text = text.dropLast() }
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let whole = parts.first, !whole.isEmpty, whole.count <= 3 else { return nil }
            var fraction = parts.count > 1 ? parts[1] : ""
            if parts.count > 1, fraction.isEmpty { return nil }
            guard (whole + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }), fraction.count <= 5 else {
                return nil
            }
            while fraction.last == "0" { fraction = fraction.dropLast() }
            let total = fraction.reduce(100) { total, _ in total * 10 }
            guard let weight = Int(whole + fraction), weight <= total else { return nil }
            self.weight = weight
            self.total = total
            description = "\(Int(whole) ?? 0)\(fraction.isEmpty ? "" : ".")\(fraction)"
        }

        /// Returns all weights, with the rest divided among the others in proportion to theirs. The sum is exactly
        /// `total`.
        func weights(atPosition position: Int, others: [Int]) -> [Int] {
            let sum = others.reduce(0, +)
            var result: [Int] = []
            var taken = 0
            var running = 0
            for weight in others {
                running += sum == 0 ? 1 : weight
                // The weights of a file may be large and numerous, so the product needs a wide integer.
                let divisor = max(1, sum == 0 ? others.count : sum)
                let end = Int(Int128(total - self.weight) * Int128(running) / Int128(divisor))
                result.append(end - taken)
                taken = end
            }
            result.insert(self.weight, at: position)
            return result
        }
    }
#endif
