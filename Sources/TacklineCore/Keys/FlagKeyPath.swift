import Synchronization

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
/// paths are equal if their names have the same UTF-8 bytes, even if their separators differ. A loader creates the key
/// paths of its flags once, so a read doesn't join strings.
public struct FlagKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The names, from the root to the flag. A key path of a loader's flag has at least one name, and none is empty.
    public var components: [String] { parts.components }
    /// The names joined by ``separator``.
    public var text: String { parts.text }
    /// The text between two names in ``text``.
    public var separator: String { parts.separator }

    // One reference, because key paths are copied more often than they are created.
    private let parts: Parts

    private final class Parts: Sendable {
        let components: [String]
        let text: String
        let separator: String
        let identity: FlagIdentity?
        /// The bits of ``FlagKeyPath/memberNames``, or 0 before their first use.
        let memberNameBits = Atomic<UInt64>(0)

        init(_ components: [String], _ separator: String, _ text: String, identity: FlagIdentity? = nil) {
            (self.components, self.separator, self.text) = (components, separator, text)
            self.identity = identity
        }
    }

    /// The names of the members of a document on which the value for the key depends.
    var memberNames: FlagMemberNames {
        let known = parts.memberNameBits.load(ordering: .relaxed)
        guard known == 0 else { return FlagMemberNames(bits: known) }
        var names = FlagMemberNames()
        names.insert(text)
        if let first = components.first { names.insert(first) }
        parts.memberNameBits.store(names.bits, ordering: .relaxed)
        return names
    }

    /// The default separator, `/`.
    public static let defaultSeparator = "/"

    /// Creates a key path from names.
    ///
    /// A name that contains the separator is not split, so ``text`` can be equal to the text of a key path with more
    /// names.
    public init(components: [String], separator: String = FlagKeyPath.defaultSeparator) {
        var text = components.first ?? ""
        for component in components.dropFirst() { text += separator + component }
        parts = Parts(components, separator, text)
    }

    /// The flag that a loader created the key path for, or `nil` if it was created in another way.
    package var identity: FlagIdentity? { parts.identity }

    /// Returns the key path as that of a flag.
    package func identified(as identity: FlagIdentity) -> FlagKeyPath {
        FlagKeyPath(parts: Parts(components, separator, text, identity: identity))
    }

    private init(parts: Parts) { self.parts = parts }

    /// Returns the key path with `name` appended, as that of a flag if there is one.
    func appending(_ name: String, identity: FlagIdentity? = nil) -> FlagKeyPath {
        var components: [String] = []
        components.reserveCapacity(parts.components.count + 1)
        components += parts.components
        components.append(name)
        let text = parts.components.isEmpty ? name : parts.text + parts.separator + name
        return FlagKeyPath(parts: Parts(components, parts.separator, text, identity: identity))
    }

    /// Creates a key path from its text by splitting the text at each separator.
    ///
    /// Empty names, as in `"a//b"`, are kept. An empty separator doesn't split the text.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public init(_ text: String, separator: String = FlagKeyPath.defaultSeparator) {
        let names = text.split(separator: separator, omittingEmptySubsequences: false)
        parts = Parts(separator.isEmpty ? [text] : names.map(String.init), separator, text)
    }

    /// Returns whether two key paths have the same names. The separators are ignored.
    @inline(never) public static func == (left: FlagKeyPath, right: FlagKeyPath) -> Bool {
        left.parts === right.parts || left.components == right.components
    }

    /// Hashes the names. The separator is ignored.
    @inline(never) public func hash(into hasher: inout Hasher) {
        for component in components { component.hash(into: &hasher) }
    }

    /// Returns whether `other` begins with the names of this key path.
    ///
    /// `secrets` is a prefix of `secrets/boom_feature` and of itself.
    public func isPrefix(of other: FlagKeyPath) -> Bool {
        components.count <= other.components.count
            && other.components.starts(with: components)
    }

    /// Creates a key path from a string literal with the default separator, such as `"secrets/boom_feature"`.
    public init(stringLiteral text: String) { self.init(text) }

    /// The same as ``text``.
    public var description: String { text }
}
