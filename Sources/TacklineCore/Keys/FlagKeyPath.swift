/// The key of a flag: the names that lead from the root of its collection to the flag.
///
/// A key path has a text, in which a separator joins the names:
///
/// ```swift
/// import Tackline
///
/// let key: FlagKeyPath = "secrets/boom_feature"
/// print(key.components)  // ["secrets", "boom_feature"]
/// ```
///
/// Providers use a key path as one flat key (``text``) and as a path through nested objects (``components``). Two key
/// paths are equal if their names are equal strings, even if their separators differ. A loader creates the key paths of
/// its flags once, so a read doesn't join strings.
public struct FlagKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The names, from the root to the flag. A key path of a loader's flag has at least one name, and none is empty.
    public var components: [String] { parts.components }
    /// The names joined by ``separator``.
    public var text: String { parts.text }
    /// The text between two names in ``text``.
    public var separator: String { parts.separator }
    /// The flag that a loader created the key path for, or `nil` if it was created in another way.
    package var identity: Identity? { parts.identity }

    /// The identity of a flag in every loader of its root collection, whatever the keys are.
    ///
    /// A provider whose values are given by property and not by key, such as a configuration in code, finds its values
    /// by it.
    package struct Identity: Sendable, Hashable {
        package let root: ObjectIdentifier
        /// The number of the flag among the flags of the collection.
        package let ordinal: Int

        package init(root: ObjectIdentifier, ordinal: Int) { (self.root, self.ordinal) = (root, ordinal) }
    }

    // One reference, because key paths are copied more often than they are created.
    private let parts: Parts

    private final class Parts: Sendable {
        let components: [String]
        let text: String
        let separator: String
        let identity: Identity?

        init(_ components: [String], _ separator: String, _ text: String, _ identity: Identity?) {
            (self.components, self.separator, self.text, self.identity) = (components, separator, text, identity)
        }
    }

    /// The default separator, `/`.
    public static let defaultSeparator = "/"

    /// Creates a key path from names.
    ///
    /// A name that contains the separator is not split, so ``text`` can be equal to the text of a key path with more
    /// names.
    public init(components: [String], separator: String = FlagKeyPath.defaultSeparator) {
        self.init(components, separator, text: components.joined(separator: separator))
    }

    /// Creates a key path from its text by splitting the text at each separator.
    ///
    /// Empty names, as in `"a//b"`, are kept. An empty separator doesn't split the text.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public init(_ text: String, separator: String = FlagKeyPath.defaultSeparator) {
        self.init(text.names(separatedBy: separator), separator, text: text)
    }

    init(_ components: [String], _ separator: String, text: String, _ identity: Identity? = nil) {
        parts = Parts(components, separator, text, identity)
    }

    /// Creates a key path from a string literal with the default separator, such as `"secrets/boom_feature"`.
    public init(stringLiteral text: String) { self.init(text) }

    func appending(_ name: String, identity: Identity? = nil) -> FlagKeyPath {
        var (components, text) = (components, text)
        if !components.isEmpty { text += separator }
        components.append(name)
        text += name
        return FlagKeyPath(components, separator, text: text, identity)
    }

    /// Returns whether two key paths have the same names. The separators are ignored.
    public static func == (left: FlagKeyPath, right: FlagKeyPath) -> Bool {
        left.parts === right.parts || left.components == right.components
    }

    /// Hashes the names. The separator is ignored.
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }

    /// Returns key paths sorted by their texts.
    static func sorted(_ keys: [FlagKeyPath]) -> [FlagKeyPath] { keys.sorted { $0.text < $1.text } }

    /// Returns whether `other` begins with the names of this key path.
    ///
    /// `secrets` is a prefix of `secrets/boom_feature` and of itself.
    public func isPrefix(of other: FlagKeyPath) -> Bool { other.components.starts(with: components) }

    /// The same as ``text``.
    public var description: String { text }
}

extension String {
    /// Returns the names between the places where a separator stands. Empty names are kept.
    func names(separatedBy separator: String) -> [String] {
        // Nearly every name has no separator, and a search for a byte takes a fiftieth of the time of one for a text.
        guard let first = separator.utf8.first, utf8.contains(first) else { return [self] }
        if separator.utf8.count == 1 {
            return utf8.split(separator: first, omittingEmptySubsequences: false).map { String(Substring($0)) }
        }
        return split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
