import TacklineCore

/// A variant of another flag of the document that a flag requires, according to its metadata:
/// `"tackline.requires": "new_cart=on, sso=on"`.
///
/// JsonLogic cannot ask for another flag, and an evaluator that does not know this member evaluates the flag without
/// it.
struct Prerequisite: Sendable {
    let flag: FlagDefinition
    let variant: String
}

/// A reader of the requirements of flags. It finds their order before the flags are made, so that a circle is never
/// followed.
struct PrerequisiteReader {
    static let name = "tackline.requires"
    /// The maximum number of flags of which each requires the next one.
    private static let limit = 32

    /// A flag that another one requires, and the required variant.
    struct Need {
        let variant: String
        /// The flag's index among the keys; `nil` if the document has no such flag.
        let place: Int?
    }

    private let keys: [String]
    private(set) var needs: [[Need]]
    /// The mistakes in the requirements, by the index of the flag.
    private(set) var mistakes: [Int: String] = [:]
    /// The indices of all flags, each after those that it requires.
    private(set) var order: [Int]

    init(_ keys: [String], _ definitions: [EncodedFlagValue], budget: KeySuggestion.Budget) {
        self.keys = keys
        needs = Array(repeating: [], count: keys.count)
        order = Array(keys.indices)
        let texts = definitions.enumerated().compactMap { place, flag in Self.text(of: flag).map { (place, $0) } }
        // Most documents have no requirements, so any order will do.
        guard !texts.isEmpty else { return }
        let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        let suggestion = KeySuggestion(keys, budget: budget)
        for (place, text) in texts {
            for part in text.split(separator: ",") { read(part, of: place, places, suggestion) }
        }
        findOrder()
    }

    private static func text(of definition: EncodedFlagValue) -> String? {
        guard case .object(let members) = definition, case .object(let metadata)? = members["metadata"],
            case .string(let text)? = metadata[name]
        else { return nil }
        return text
    }

    /// Reads `flag=variant`. A key may contain the sign; the name of a variant hardly will.
    private mutating func read(
        _ part: Substring, of place: Int, _ places: [String: Int], _ suggestion: KeySuggestion
    ) {
        guard let sign = part.utf8.lastIndex(of: UInt8(ascii: "=")) else {
            let name = Self.trimmed(part)
            mistakes[place] = "\(name.quoted) names no variant; write it as flag=variant, as in \"cart=on\""
            return
        }
        let flag = Self.trimmed(part[..<sign])
        let wanted = flag.utf8.count > VariablePath.nameLimit ? nil : places[flag]
        if wanted == nil, mistakes[place] == nil {
            let advice = suggestion.advice(for: flag, otherwise: "add that flag, or remove the requirement")
            mistakes[place] = "the document has no flag \(flag.quoted); \(advice)"
        }
        let variant = Self.trimmed(part[part.utf8.index(after: sign)...])
        needs[place].append(Need(variant: variant, place: wanted))
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return String(start.dropLast(start.reversed().prefix { $0 == " " }.count))
    }

    /// Orders the flags by the length of the chain that each of them begins (A. B. Kahn, 1962). Flags in a circle have
    /// none.
    private mutating func findOrder() {
        var waiting = needs.map { $0.count { $0.place != nil } }
        var dependents = Array(repeating: [Int](), count: keys.count)
        for place in keys.indices {
            for case let wanted? in needs[place].lazy.map(\.place) { dependents[wanted].append(place) }
        }
        order = []
        var level = keys.indices.filter { waiting[$0] == 0 }
        for _ in 0..<Self.limit {
            order += level
            var next: [Int] = []
            for dependent in level.lazy.flatMap({ dependents[$0] }) {
                waiting[dependent] -= 1
                if waiting[dependent] == 0 { next.append(dependent) }
            }
            level = next
        }
        let left = Set(keys.indices).subtracting(order)
        order += left
        let tooLong = "it leads through more than \(Self.limit) flags, or back to itself; make the chain shorter"
        for (count, place) in left.enumerated() {
            mistakes[place] = count < 1_000 ? circle(from: place, among: left) ?? tooLong : tooLong
        }
    }

    /// Returns the mistake of a flag that is in a circle or leads to one; `nil` for one that begins too long a chain.
    private func circle(from start: Int, among left: Set<Int>) -> String? {
        var chain = [start]
        while chain.count <= Self.limit, let last = chain.last,
            let next = needs[last].lazy.compactMap(\.place).first(where: left.contains)
        {
            if let first = chain.firstIndex(of: next) {
                let circle = chain[first...].map { keys[$0].quoted }
                let shown = circle.count > 5 ? circle.prefix(3) + ["…", circle[circle.count - 1]] : circle[...]
                let text = (shown + [circle[0]]).joined(separator: " needs ")
                return "\(text): a circle; remove one of these requirements"
            }
            chain.append(next)
        }
        return nil
    }
}
