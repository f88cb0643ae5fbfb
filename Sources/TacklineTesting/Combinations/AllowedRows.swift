import TacklineCore

/// A filter for the rows of choices that meet all constraints.
struct AllowedRows {
    /// A constraint between choices of some factors.
    struct Rule {
        /// The factors that the constraint involves, in order.
        let factors: [Int]
        /// Returns whether the constraint holds for choices of these factors.
        let holds: (_ choices: [Int]) -> Bool
    }

    private let rules: [Rule]
    /// The cached results of the rules, because evaluating a rule takes longer than looking it up.
    private var answers: [[[Int]: Bool]]

    init(_ rules: [Rule]) {
        self.rules = rules
        answers = Array(repeating: [:], count: rules.count)
    }

    /// Returns whether every rule holds whose factors all have a choice.
    ///
    /// - Parameters:
    ///   - choices: The choice of each factor, or `nil` where there is none yet.
    ///   - changed: The only factor that got a choice since the last call, or `nil` to check all rules.
    mutating func allows(_ choices: [Int?], changed: Int? = nil) -> Bool {
        for (number, rule) in rules.enumerated() {
            if let changed, !rule.factors.contains(changed) { continue }
            let taken = rule.factors.compactMap { choices[$0] }
            guard taken.count == rule.factors.count else { continue }
            let holds = answers[number][taken] ?? rule.holds(taken)
            answers[number][taken] = holds
            if !holds { return false }
        }
        return true
    }
}

extension FlagVariations {
    /// Returns the constraints as rules on the choices of the factors. Constraints without a varied flag are left out.
    ///
    /// Traps if a constraint involves a varied flag and also a flag that no varied collection declares.
    func allowedRows(under constraints: [any FlagValueConstraint], _ configuration: KeyConfiguration) -> AllowedRows {
        var defaults: [String: EncodedFlagValue] = [:]
        /// The factor of each key: the last one that varies the flag.
        var positions: [String: Int] = [:]
        for (collection, flags) in collections {
            let flags = flags(configuration)
            for flag in flags { defaults[flag.key] = flag.value }
            for (position, factor) in factors.enumerated() where factor.collection == collection {
                if let ordinal = factor.ordinal, flags.indices.contains(ordinal) {
                    positions[flags[ordinal].key] = position
                }
            }
        }
        return AllowedRows(
            constraints.compactMap { constraint in
                // The part after a dot may be a member of a flag whose value is an object.
                let keys = constraint.flagKeys.map { key in
                    defaults[key] == nil ? String(key.prefix { $0 != "." }) : key
                }
                let varied = Set(keys.compactMap { positions[$0] }).sorted()
                guard !varied.isEmpty else { return nil }
                let unknown = keys.filter { defaults[$0] == nil }.sorted().map { "\"\($0)\"" }
                precondition(
                    unknown.isEmpty,
                    """
                    The constraint "\(constraint.name)" is about \(unknown.joined(separator: " and ")), which no collection \
                    has whose flags are varied. Correct the key, or vary a flag of its collection.
                    """)
                let own = Set(keys)
                let fixed = defaults.filter { own.contains($0.key) }
                let names = positions.filter { own.contains($0.key) }
                let values = factors.map(\.encoded)
                return AllowedRows.Rule(factors: varied) { choices in
                    var row = fixed
                    for (key, position) in names {
                        guard let place = varied.firstIndex(of: position) else { continue }
                        row[key] = values[position][choices[place]]
                    }
                    return constraint.holds(for: row)
                }
            })
    }
}
