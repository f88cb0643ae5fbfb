/// What `var` asks for, taken apart when a rule is compiled.
struct VariablePath: Sendable {
    /// One step into a value.
    struct Component: Sendable {
        var name: String
        /// The position in a list, where the name is one.
        var index: Int?

        init(_ name: Substring) {
            self.name = String(name)
            index = Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
        }
    }

    enum Origin: UInt8, Sendable {
        /// Everything there is.
        case whole
        case targetingKey
        case flagKey
        case timestamp
        /// A path into the data.
        case data
    }

    var origin: Origin
    var components: [Component]

    /// Takes a dotted path apart; the empty one means the whole data.
    init(_ text: String) {
        switch text {
        case "": (origin, components) = (.whole, [])
        default:
            components = text.split(separator: ".", omittingEmptySubsequences: false).map { Component($0) }
            origin =
                switch text {
                case "targetingKey": .targetingKey
                case "$flagd.flagKey": .flagKey
                case "$flagd.timestamp": .timestamp
                default: .data
                }
        }
    }
}
