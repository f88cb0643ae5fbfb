import TacklineCore

/// The known names at each level of a document, by which misspelt ones are found.
package enum KnownNames {
    static let document = ["$schema", "flags", "$evaluators", "metadata"]
    static let flag = ["state", "variants", "defaultVariant", "targeting", "metadata", "key"]
    static let documentMetadata = ["flagSetId", "version", StickyAssignments.name]
    static let flagMetadata = ["flagSetId", PrerequisiteReader.name, StickyAssignments.name]
    package static let operators = RuleOperator.table.map(\.name)

    /// Returns the known name that was probably meant; `nil` for a name that is known or that resembles none of them.
    static func meant(by name: String, among known: [String]) -> String? {
        guard name.utf8.count <= 512, !known.contains(name) else { return nil }
        return KeySuggestion(known).nearest(to: name)
    }

    /// Returns the first member whose name is probably a misspelling of `name`; `nil` if there is none.
    static func misspelling(of name: String, among members: some Sequence<String>, known: [String]) -> String? {
        members.filter { meant(by: $0, among: known) == name }.min()
    }
}
