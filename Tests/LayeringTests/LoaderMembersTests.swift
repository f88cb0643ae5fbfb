import TacklineCore
import Testing

@Suite("The public members of FlagsLoader") struct LoaderMembersTests {
    @Test("are exactly those that were released, because each of them hides users' flags of its name")
    func members() throws {
        let files = try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers")
        // Members for an enum's features hide nothing, because such a collection has no properties.
        let members = files.flatMap { $0.source.members(of: "FlagsLoader", unlessConstrainedTo: "FlagFeatures") }
        // Nobody names a flag like the requirement of CustomDebugStringConvertible.
        let found = Set(members.filter { $0.access == "public" }.map(\.name)).subtracting(["debugDescription"])
        #expect(
            found.subtracting(FlagIndex.loaderMembers) == [],
            """
            A new public member of FlagsLoader hides every flag of that name in users' code: `loader.name` would be the \
            member and no longer the flag. Put it on the handle, the group or the chain, or into a type that takes the \
            loader. Only a new major version may add one, together with a name in FlagIndex.loaderMembers.
            """)
        #expect(
            FlagIndex.loaderMembers == [
                "flags", "root", "providers", "updateProviders", "snapshot", "validate", "changes", "flag",
                "beginSession",
            ])
        #expect(
            FlagIndex.loaderMembers.subtracting(found) == [], "These are members no longer. Remove them from the list.")
    }
}
