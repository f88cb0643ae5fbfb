/// A key given by hand, in place of the one made from a property's name.
///
/// ```swift
/// @Flag(key: "sson", default: false, description: "…") var allowsSSON: Bool              // secrets/sson
/// @Flag(key: .absolute("sson"), default: false, description: "…") var allowsSSON: Bool   // sson
/// ```
public struct FlagKey: Sendable, Hashable, ExpressibleByStringLiteral {
    package enum Kind: Sendable, Hashable {
        case component(String)
        case absolute(String)
        case name(String)
    }

    package let kind: Kind

    /// Replaces the flag's own component; the path of its collections stays before it. Not transformed.
    ///
    /// A component that is empty or holds the separator is reported as a mistake in the declaration.
    public static func component(_ name: String) -> FlagKey { FlagKey(kind: .component(name)) }

    /// Replaces the whole key path, the prefix of the loader included.
    public static func absolute(_ path: String) -> FlagKey { FlagKey(kind: .absolute(path)) }

    /// Stands for a property's name: the loader transforms it as it does those.
    public static func name(_ name: String) -> FlagKey { FlagKey(kind: .name(name)) }

    /// The same as ``component(_:)``.
    public init(stringLiteral name: String) {
        self.init(kind: .component(name))
    }

    private init(kind: Kind) {
        self.kind = kind
    }
}
