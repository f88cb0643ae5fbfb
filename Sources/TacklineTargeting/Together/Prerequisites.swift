import TacklineCore

/// What a flag needs of another one of its document, as its metadata say: `"tackline.requires": "new_cart=on, sso=on"`.
///
/// JsonLogic cannot ask for another flag, and an evaluator that does not know this member takes the flag without it.
struct Prerequisite: Sendable {
    let flag: FlagDefinition
    let variant: String
}

/// Reads and checks what flags need of each other, before they are made: so a circle is found, and never walked.
struct PrerequisiteReader {
    /// The name of the metadata's member.
    static let name = "tackline.requires"
    /// How many flags an evaluation may lead through; a document cannot make it more work than that.
    private static let limit = 64

    /// By flag, what its metadata name: a flag, and its variant.
    private var needs: [String: [(flag: String, variant: String)]] = [:]
    private var work: [String: Int] = [:]

    init(_ definitions: [String: EncodedFlagValue]) {
        for (key, definition) in definitions {
            guard case .object(let members) = definition, case .object(let metadata)? = members["metadata"],
                case .string(let text)? = metadata[Self.name]
            else { continue }
            needs[key] = text.parts(separatedBy: ",").filter { !$0.isEmpty }.map { part in
                // A key may have the sign in it, the name of a variant hardly.
                let names = part.parts(separatedBy: "=")
                let flag: String = names.dropLast().joined(separator: "=")
                let variant = names.last ?? ""
                return (Self.trimmed(flag), Self.trimmed(variant))
            }
        }
    }

    /// A text without the spaces round it.
    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    /// Whether a flag's metadata say that it needs others.
    static func hasNeeds(_ definition: EncodedFlagValue) -> Bool {
        guard case .object(let members) = definition, case .object(let metadata)? = members["metadata"] else {
            return false
        }
        return metadata[name] != nil
    }

    /// What a flag needs.
    func needs(of key: String) -> [(flag: String, variant: String)] { needs[key] ?? [] }

    /// The keys in an order in which each stands after those that it needs, and what is wrong with some of them.
    mutating func order(_ keys: [String]) -> (keys: [String], mistakes: [String: String]) {
        var ordered: [String] = []
        var mistakes: [String: String] = [:]
        var isDone: Set<String> = []
        let known = Set(keys)
        for key in keys where !isDone.contains(key) {
            // A stack of its own: a chain may be as long as the document.
            var path: [(key: String, next: Int)] = [(key, 0)]
            var onPath: Set<String> = [key]
            while let top = path.last {
                let needs = needs(of: top.key)
                if top.next < needs.count {
                    path[path.count - 1].next += 1
                    let wanted = needs[top.next].flag
                    if onPath.contains(wanted) {
                        let start = path.firstIndex { $0.key == wanted } ?? 0
                        let circle = path[start...].map(\.key)
                        let text = (circle + [wanted]).map { "\"\($0)\"" }.joined(separator: " needs ")
                        for key in circle { mistakes[key] = "\(text): a circle; remove one of these requirements" }
                    } else if !known.contains(wanted) {
                        let advice = KeySuggestion(keys).advice(for: wanted, otherwise: "write it as flag=variant")
                        mistakes[top.key] = "the document has no flag \"\(wanted)\"; \(advice)"
                    } else if !isDone.contains(wanted) {
                        onPath.insert(wanted)
                        path.append((wanted, 0))
                    }
                    continue
                }
                path.removeLast()
                onPath.remove(top.key)
                isDone.insert(top.key)
                ordered.append(top.key)
                let sum = needs.reduce(1) { min($0 + (work[$1.flag] ?? 1), Self.limit + 1) }
                work[top.key] = sum
                if sum > Self.limit, mistakes[top.key] == nil {
                    mistakes[top.key] = "it leads through more than \(Self.limit) flags; make the chain shorter"
                }
            }
        }
        return (ordered, mistakes)
    }
}

extension FlagDefinition {
    /// Whether every flag that this one needs gives the variant that it needs.
    ///
    /// - Parameter evaluate: What a flag gives: its evaluation, or what is kept for the subject in its place.
    @inline(never)
    func meetsPrerequisites(_ evaluate: (FlagDefinition) -> FlagEvaluation) -> Bool {
        prerequisites.allSatisfy { evaluate($0.flag).variant == $0.variant }
    }
}
