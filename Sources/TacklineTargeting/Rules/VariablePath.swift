import TacklineCore

/// What `var` asks for, taken apart when a rule is compiled.
///
/// A class, so that looking something up counts one reference instead of one for each name.
final class VariablePath: Sendable {
    /// One step into a value.
    struct Component: Sendable {
        let name: String
        /// The position in a list, where the name is one.
        let index: Int?

        init(_ name: String) {
            self.name = name
            index = Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
        }
    }

    enum Origin: UInt8, Sendable {
        /// Everything there is.
        case whole
        case targetingKey
        case flagKey
        case timestamp
        /// A path into the data that begins with one of those names, or the whole of `$flagd`.
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

    /// Takes a dotted path apart; the empty one means the whole data.
    init(_ text: String) {
        let components = text.parts(separatedBy: ".").map { Component($0) }
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
        isAttribute = rest.isEmpty && origin == .data
    }
}
