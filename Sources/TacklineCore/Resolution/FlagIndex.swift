import Synchronization

/// The names and key paths of a collection's flags, their order and their nesting. All loaders of the collection share it.
///
/// An index is made of a collection that was just constructed (``FlagShape``), and kept for the process. A later
/// construction has the same index if it declares flags and collections in the same places, in the same order, with the
/// same keys and types. Nothing is reflected then. Defaults and metadata may differ: each loader has the declarations of
/// its own construction.
///
/// If two flags of one collection are declared in one place, such as a helper or a loop, the place doesn't tell which of
/// them a property holds. The collection is reflected for each loader then.
package final class FlagIndex: @unchecked Sendable {
    // `@unchecked`: only the initializer changes it, and it is shared after that.

    package let configuration: KeyConfiguration
    let shape: FlagShape
    /// The key paths of the flags by ordinal.
    @exclusivity(unchecked) package private(set) var keyPaths: [FlagKeyPath] = []
    /// The key paths of the nested collections, without components if neither the collection nor any around it adds one.
    package private(set) var groupKeyPaths: [FlagKeyPath] = []
    /// The mistakes in the declaration that every construction has.
    package private(set) var issues: [FlagError] = []
    /// The flags by the texts of their keys in the loader's separator. Of several flags with one text, the first.
    @exclusivity(unchecked) private var ordinals: [String: Int] = [:]
    /// The number of components of the longest key.
    private var maximumCount = 0
    /// The further flags with the text of an earlier one's key, by mistake.
    private var duplicates: [Int] = []
    /// The signature of the construction, or `nil` if the signature doesn't tell which property holds which member.
    private let signature: UInt64?

    private let root: ObjectIdentifier
    /// The last index of each type. An array, since a launch needs longer to make a new type of dictionary.
    private static let all = Mutex([FlagIndex]())

    /// Returns the index of a construction. The collection is read if the last index of its type doesn't fit.
    static func index(
        of collection: any FlagCollectionProtocol, _ construction: FlagConstruction, _ configuration: KeyConfiguration
    ) -> FlagIndex {
        let type = ObjectIdentifier(type(of: collection))
        if let known = all.withLock({ $0.first { $0.root == type } }), known.configuration == configuration,
            known.signature == construction.signature
        {
            return known
        }
        let index = FlagIndex(FlagShape(reading: collection, construction), construction, configuration, root: type)
        all.withLock { $0 = $0.filter { $0.root != type } + [index] }
        return index
    }

    /// Creates the key paths of a collection's flags and finds the mistakes in them.
    private init(
        _ shape: FlagShape, _ construction: FlagConstruction, _ configuration: KeyConfiguration, root: ObjectIdentifier
    ) {
        (self.shape, self.configuration, self.root) = (shape, configuration, root)
        let (flags, groups) = (shape.flags, shape.groups)
        // Two members of one collection have the same place only if one helper or loop made both.
        let places = (flags + groups).map { member in member.site.hashValue ^ member.parent }
        let isAmbiguous = !shape.issues.isEmpty || Set(places).count < places.count
        signature = isAmbiguous ? nil : construction.signature
        keyPaths.reserveCapacity(flags.count)
        ordinals.reserveCapacity(flags.count)
        let prefix = configuration.rootKeyPath
        if configuration.pathSeparator.isEmpty {
            let message = """
                The path separator of the key configuration is empty, so keys of different flags can become the same \
                text. Give KeyConfiguration a pathSeparator, "/" for example.
                """
            issues.append(FlagError(.emptySeparator, message))
        }
        for name in prefix.components { check(name, of: "the prefix of the key configuration", nil) }
        for group in groups {
            let outer = group.parent < 0 ? prefix : groupKeyPaths[group.parent]
            let name = construction.groups[group.number].keyConfiguration.component(
                forProperty: group.label, transform: configuration.keyTransform)
            if let name { check(name, of: "collection", group) }
            groupKeyPaths.append(name.map { outer.appending($0) } ?? outer)
        }
        for flag in flags {
            let outer = flag.parent < 0 ? prefix : groupKeyPaths[flag.parent]
            add(flag, key: construction.flags[flag.number].key, below: outer)
        }
        reportOverlaps()
        issues += shape.issues
    }

    private func add(_ flag: FlagShape.Member, key: FlagKey?, below outer: FlagKeyPath) {
        let ordinal = keyPaths.count
        let identity = FlagKeyPath.Identity(root: root, ordinal: ordinal)
        let keyPath: FlagKeyPath
        var ownCount = 1
        switch key?.kind {
        case .component(let name): keyPath = outer.appending(name, identity: identity)
        case .name(let name): keyPath = outer.appending(configuration.keyTransform(name), identity: identity)
        case .absolute(let text):
            let names = text.names(separatedBy: configuration.pathSeparator)
            keyPath = FlagKeyPath(names, configuration.pathSeparator, text: text, identity)
            ownCount = names.count
        case nil: keyPath = outer.appending(configuration.keyTransform(flag.label), identity: identity)
        }
        keyPaths.append(keyPath)
        maximumCount = max(maximumCount, keyPath.components.count)
        for name in keyPath.components.suffix(ownCount) { check(name, of: "flag", flag) }
        guard let first = ordinals.updateValue(ordinal, forKey: keyPath.text) else { return }
        ordinals[keyPath.text] = first
        duplicates.append(ordinal)
        let message = """
            Two flags have the key "\(keyPath)": \(place(of: shape.flags[first])) and \(place(of: flag)). Give one of them a key \
            of its own with @Flag(key:), or its collection one with @FlagCollection(key:).
            """
        issues.append(FlagError(.duplicateKey, message, key: keyPath))
    }

    private func check(_ component: String, of kind: String, _ member: FlagShape.Member?) {
        var component = component
        // Made for a message only.
        var subject: String { member.map { "\(kind) \(place(of: $0))" } ?? kind }
        if component.isEmpty {
            let message = """
                A part of the key of \(subject) is empty. Give it a name with key:, or leave key: out to use the \
                property's name.
                """
            issues.append(FlagError(.emptyKeyComponent, message))
            // Nearly every component lacks even the first byte of the separator.
        } else if let first = configuration.pathSeparator.utf8.first, component.withUTF8({ $0.contains(first) }),
            component.names(separatedBy: configuration.pathSeparator).count > 1
        {
            let message = """
                The key "\(component)" of \(subject) contains the separator "\(configuration.pathSeparator)". Remove \
                it, nest the flag in a @FlagCollection, or write key: .absolute("…") to give the whole path.
                """
            issues.append(FlagError(.separatorInKeyComponent, message))
        }
    }

    /// Returns the name and the place of a flag or nested collection, for messages.
    private func place(of member: FlagShape.Member) -> String { "\"\(property(member))\" (\(member.site))" }

    // MARK: Properties

    /// Returns the path of a member's property in the source: `secrets.boomFeature`.
    func property(_ member: FlagShape.Member) -> String {
        member.parent < 0 ? member.label : "\(property(shape.groups[member.parent])).\(member.label)"
    }

    // MARK: Keys

    /// Returns the first flag with a key, or `nil` if there is none. A text in the loader's separator is a key, too.
    package func ordinal(of key: FlagKeyPath) -> Int? {
        ordinals[key.text] ?? ordinals[key.components.joined(separator: configuration.pathSeparator)]
    }

    private func reportOverlaps() {
        // The flags of a group follow one another, so nearly every one is below the same names as the one before.
        var (names, outer): (ArraySlice<String>, Int?) = ([], nil)
        for (inner, key) in keyPaths.enumerated() {
            if key.components.dropLast() != names {
                (names, outer) = (key.components.dropLast(), nil)
                var text = ""
                for name in names where outer == nil {
                    text += text.isEmpty ? name : configuration.pathSeparator + name
                    outer = ordinals[text]
                }
            }
            guard let outer else { continue }
            let message = """
                The key "\(keyPaths[outer])" of flag \(place(of: shape.flags[outer])) is also the key of a group, which holds flag \
                \(place(of: shape.flags[inner])). Give one of them a key of its own with @Flag(key:), or the group with \
                @FlagCollection(key:).
                """
            issues.append(FlagError(.overlappingKeys, message, key: key))
        }
    }

    /// Calls `body` with each flag whose value may differ after a change of a provider's value, and perhaps with others.
    ///
    /// These are the flag at the changed key; flags above it, whose own value contains it; and, if an object was added
    /// or removed, flags below it. A flat key of a provider is compared as text, even if only a member of the object at
    /// that key changed.
    ///
    /// - Complexity: O(*n*) in the length of the changed key, and in the number of flags if an object was added or
    ///   removed.
    package func forEachOrdinal(affectedBy change: FlagProviderChange, _ body: (Int) -> Void) {
        let key = change.key
        var text = ""
        // A key of a document may have hundreds of components, and each prefix takes time that grows with its length.
        for name in key.components.prefix(maximumCount) {
            text += text.isEmpty ? name : configuration.pathSeparator + name
            if let ordinal = ordinals[text] { body(ordinal) }
        }
        // The separator of the provider may be another one.
        if text != key.text, let ordinal = ordinals[key.text] { body(ordinal) }
        duplicates.forEach(body)
        guard change.old?.isObject == true || change.new?.isObject == true else { return }
        for (ordinal, flag) in keyPaths.enumerated() where key.isPrefix(of: flag) { body(ordinal) }
    }
}

/// Returns the indices of numbers from the least to the greatest. Equal ones stay in order.
///
/// Numbers are sorted here only, because each closure and each type that is sorted makes another copy of the sort.
func indices(inOrderOf numbers: [Int]) -> [Int] { numbers.indices.sorted { numbers[$0] < numbers[$1] } }
