#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what files and servers give.

// Keys that differ only by Unicode normalisation. A document that came from somebody else may have some, and each is a
// flag of its own; a Swift dictionary, which takes them for the same, keeps the first, and `namesakes` the others.
extension FlagDocument {
    /// Reads a document from JSON as ``FlagJSONReader`` does, but with keys compared by their bytes: two that differ only by
    /// Unicode normalisation are two flags. Inside arrays, where no flag is, they are a mistake.
    ///
    /// - Throws: ``FlagJSONError`` for the first mistake; also if the top is not an object.
    public init(json data: Data, limits: FlagJSONReader.Limits = FlagJSONReader.Limits()) throws(FlagJSONError) {
        let (value, namesakes) = try FlagJSONReader(limits: limits, requiresObject: true).readWithNamesakes(data)
        // The reader has made sure that it is an object.
        if case .object(let members) = value { self.init(members) } else { self.init() }
        for (path, value) in namesakes {
            self.namesakes[FlagKeyPath(components: path.map(\.text))] = value
        }
    }

    /// Whether both hold the same values under keys of the same bytes.
    public static func == (left: FlagDocument, right: FlagDocument) -> Bool {
        EncodedFlagValue.object(left.root) == .object(right.root) && left.namesakes == right.namesakes
    }

    /// Removes members at the top, with all that is in them.
    public mutating func removeMembers(where isUnwanted: (String) -> Bool) {
        root = root.filter { !isUnwanted($0.key) }
        namesakes = namesakes.filter { path, _ in !path.components.prefix(1).contains(where: isUnwanted) }
    }

    func namesake(_ components: ArraySlice<String>) -> EncodedFlagValue? {
        namesakes.isEmpty ? nil : namesakes[FlagKeyPath(components: Array(components))]
    }

    /// - Returns: `false` if no namesake has exactly this key.
    mutating func replaceNamesake(_ value: EncodedFlagValue, for key: FlagKeyPath) -> Bool {
        guard !namesakes.isEmpty else { return false }
        for path in [FlagKeyPath(components: [key.text]), key] where namesakes[path] != nil {
            namesakes[path] = value
            return true
        }
        return false
    }

    /// Removes a value from namesakes in both shapes, from the objects in them, and what lies below it.
    ///
    /// - Complexity: O(*n*) in the number of namesakes.
    mutating func removeNamesakes(for key: FlagKeyPath) {
        guard !namesakes.isEmpty else { return }
        let flat = FlagKeyPath(components: [key.text])
        namesakes = namesakes.filter { path, _ in path != flat && !key.isPrefix(of: path) }
        var members = root
        for (index, component) in key.components.enumerated() {
            let path = FlagKeyPath(components: Array(key.components.prefix(index + 1)))
            let inRoot = members[exact: component]
            guard case .object(var inner)? = inRoot ?? namesakes[path] else { return }
            if inRoot == nil {
                FlagDocument.remove(key.components[(index + 1)...], from: &inner, prunes: false)
                namesakes[path] = .object(inner)
            }
            members = inner
        }
    }

    /// Removes what lies below a value that is about to be replaced.
    mutating func removeNamesakes(below key: FlagKeyPath) {
        guard !namesakes.isEmpty else { return }
        namesakes = namesakes.filter { path, _ in path == key || !key.isPrefix(of: path) }
    }
}
