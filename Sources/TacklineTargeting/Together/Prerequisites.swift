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

/// A reader of the requirements of flags. It checks them before the flags are made, so that a circle is found and never
/// followed.
struct PrerequisiteReader {
    /// The name of the metadata's member.
    static let name = "tackline.requires"
    /// The maximum number of flags that one evaluation may involve, which bounds the work that a document can cause.
    private static let limit = 64

    /// A flag that another one requires, and the required variant.
    struct Need {
        let flag: String
        let variant: String
        /// The flag's index among the keys; `nil` if the document has no such flag.
        fileprivate let place: Int?
    }

    /// The keys in order. Flags and their requirements refer to each other by index.
    private let keys: [String]
    private let definitions: [EncodedFlagValue]
    /// The requirements of the flags that have any.
    private var needs: [Int: [Need]] = [:]
    private var places: [String: Int] = [:]
    private var mistakes: [Int: String] = [:]

    init(_ definitions: [String: EncodedFlagValue], budget: KeySuggestion.Budget) {
        // Without requirements, any order is correct.
        let hasNeeds = definitions.values.contains { Self.text(of: $0) != nil }
        let ordered = hasNeeds ? definitions.sorted { $0.key < $1.key } : Array(definitions)
        keys = ordered.map(\.key)
        self.definitions = ordered.map(\.value)
        guard hasNeeds else { return }
        let needing = ordered.enumerated().compactMap { place, flag in Self.text(of: flag.value).map { (place, $0) } }
        places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
        let suggestion = KeySuggestion(keys, budget: budget)
        for (place, text) in needing {
            // A list beyond the limit is counted, and not read.
            let parts = text.split(separator: ",", maxSplits: Self.limit).map(String.init)
            guard parts.count <= Self.limit else {
                mistakes[place] = Self.tooMany
                continue
            }
            needs[place] = parts.compactMap { need($0, of: place, suggestion) }
        }
    }

    private static var tooMany: String { "it leads through more than \(limit) flags; make the chain shorter" }

    private static func text(of definition: EncodedFlagValue) -> String? {
        guard case .object(let members) = definition, case .object(let metadata)? = members["metadata"],
            case .string(let text)? = metadata[name]
        else { return nil }
        return text
    }

    /// Reads `flag=variant`. A key may contain the sign; the name of a variant hardly will.
    private mutating func need(_ part: String, of place: Int, _ suggestion: KeySuggestion) -> Need? {
        guard let sign = part.utf8.lastIndex(of: UInt8(ascii: "=")) else {
            let name = Self.trimmed(part[...])
            mistakes[place] = "\(name.quoted) names no variant; write it as flag=variant, as in \"cart=on\""
            return nil
        }
        let flag = Self.trimmed(part[..<sign])
        let wanted = flag.utf8.count > VariablePath.nameLimit ? nil : places[flag]
        if wanted == nil {
            let advice = suggestion.advice(for: flag, otherwise: "add that flag, or remove the requirement")
            mistakes[place] = "the document has no flag \(flag.quoted); \(advice)"
        }
        return Need(flag: flag, variant: Self.trimmed(part[part.utf8.index(after: sign)...]), place: wanted)
    }

    /// Returns a text without the spaces around it.
    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    /// Returns whether a flag's metadata have requirements.
    static func hasNeeds(_ definition: EncodedFlagValue) -> Bool {
        guard case .object(let members) = definition, case .object(let metadata)? = members["metadata"] else {
            return false
        }
        return metadata[name] != nil
    }

    /// Returns the flags in an order in which each stands after those that it requires, with its requirements and the
    /// mistake in them.
    ///
    /// - Complexity: O(*n*) in the number of flags and requirements: one depth-first search finds all circles, as
    ///   strongly connected components (R. E. Tarjan, 1972).
    mutating func order() -> [(key: String, definition: EncodedFlagValue, needs: [Need], mistake: String?)] {
        guard !needs.isEmpty else { return keys.indices.map { (keys[$0], definitions[$0], [], mistakes[$0]) } }
        var ordered: [Int] = []
        ordered.reserveCapacity(keys.count)
        // The order in which each was visited, from 1, and the earliest flag that can be reached from it.
        var met = [Int](repeating: 0, count: keys.count)
        var reach = met
        var isOpen = [Bool](repeating: false, count: keys.count)
        var work = met
        var open: [Int] = []
        // An explicit stack, since a chain may be as long as the document.
        var path: [(place: Int, next: Int)] = []
        var count = 0
        for start in keys.indices where met[start] == 0 {
            path.append((start, 0))
            while let (place, next) = path.last {
                if next == 0 {
                    count += 1
                    (met[place], reach[place], isOpen[place]) = (count, count, true)
                    open.append(place)
                }
                path[path.count - 1].next += 1
                if next < needs[place]?.count ?? 0 {
                    guard let wanted = needs[place]?[next].place else { continue }
                    if met[wanted] == 0 {
                        path.append((wanted, 0))
                    } else if isOpen[wanted] {
                        reach[place] = min(reach[place], met[wanted])
                    }
                    continue
                }
                path.removeLast()
                if let around = path.last?.place { reach[around] = min(reach[around], reach[place]) }
                ordered.append(place)
                work[place] =
                    needs[place]?.reduce(1) { sum, need in
                        min(sum + max(1, need.place.map { work[$0] } ?? 1), Self.limit + 1)
                    } ?? 1
                if work[place] > Self.limit, mistakes[place] == nil { mistakes[place] = Self.tooMany }
                guard reach[place] == met[place], let first = open.lastIndex(of: place) else { continue }
                noteCircle(open[first...])
                for member in open[first...] { isOpen[member] = false }
                open.removeSubrange(first...)
            }
        }
        return ordered.map { (keys[$0], definitions[$0], needs[$0] ?? [], mistakes[$0]) }
    }

    /// Records that flags require each other, if they do.
    ///
    /// - Parameter members: Flags each of which leads to every other one.
    private mutating func noteCircle(_ members: ArraySlice<Int>) {
        guard let first = members.first,
            members.count > 1 || needs[first]?.contains(where: { $0.place == first }) == true
        else { return }
        // A path that stays among them must repeat a flag in the end.
        let inside = Set(members)
        var walk: [Int] = []
        var seen: [Int: Int] = [:]
        var place = first
        while seen[place] == nil {
            seen[place] = walk.count
            walk.append(place)
            guard let next = needs[place]?.lazy.compactMap(\.place).first(where: inside.contains) else { return }
            place = next
        }
        let circle = walk[(seen[place] ?? 0)...].map { keys[$0].quoted }
        let shown = circle.count > 5 ? circle.prefix(3) + ["…", circle[circle.count - 1]] : circle[...]
        let text = (shown + [circle[0]]).joined(separator: " needs ")
        for member in members { mistakes[member] = "\(text): a circle; remove one of these requirements" }
    }
}

extension FlagDefinition {
    /// Returns whether every flag that this one requires gives the required variant.
    ///
    /// - Parameter evaluate: Returns the evaluation of a flag, or the one that is kept for the subject in its place.
    @inline(never)
    func meetsPrerequisites(_ evaluate: (FlagDefinition) -> EvaluatedFlag) -> Bool {
        prerequisites.allSatisfy { evaluate($0.flag).variant == $0.variant }
    }
}
