import TacklineCore

/// A path that `var` asks for, split into names when a rule is compiled.
///
/// A class, so that a lookup counts one reference instead of one for each name.
final class VariablePath: Sendable {
    /// One step into a value.
    struct Component: Sendable {
        let name: String
        /// The position in a list, if the name is one.
        let index: Int?

        init(_ name: String) {
            self.name = name
            index = Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
        }
    }

    enum Origin: UInt8, Sendable {
        /// The whole data.
        case whole
        case targetingKey
        case flagKey
        case timestamp
        /// A path into the data that begins with `$flagd` or `targetingKey` and is none of the above.
        case reserved
        /// Any other path into the data.
        case data
    }

    /// The paths that splits usually ask for.
    static let flagKey = VariablePath("$flagd.flagKey")
    static let targetingKey = VariablePath("targetingKey")

    let origin: Origin
    let first: Component
    let rest: [Component]
    /// Whether this is one name of an attribute, as most paths are.
    let isAttribute: Bool
    /// The number of steps that a lookup costs besides the first; 0 for every usual path.
    let cost: Int

    /// The maximum length of a name in bytes, as in a document: the time to compare a text grows with the square of a
    /// run of combining marks.
    static let nameLimit = 1_024

    /// Returns whether a name in a path is too long to be looked up.
    static func isTooLong(_ path: String) -> Bool {
        path.utf8.count > nameLimit
            && path.utf8.split(separator: UInt8(ascii: ".")).contains { $0.count > nameLimit }
    }

    /// Splits a dotted path into names; the empty path means the whole data.
    init(_ text: String) {
        let components = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            Component(String(Substring($0)))
        }
        first = components.first ?? Component("")
        rest = Array(components.dropFirst())
        origin =
            switch text {
            case "": .whole
            case "targetingKey": .targetingKey
            case "$flagd.flagKey": .flagKey
            case "$flagd.timestamp": .timestamp
            default: first.name == "$flagd" || first.name == "targetingKey" ? .reserved : .data
            }
        cost = rest.count / 4 + text.utf8.count / 64
        isAttribute = rest.isEmpty && origin == .data
    }
}
