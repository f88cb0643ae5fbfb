import TacklineCore
import Testing

@Suite("The public members of FlagsLoader") struct LoaderMembersTests {
    /// Returns the names of the loader's public instance members in the given files.
    ///
    /// Those for an enum's features hide nothing, because such a collection has no properties.
    private static func publicMembers(in sources: [SourceText]) -> Set<String> {
        let members = sources.flatMap { $0.members(of: "FlagsLoader", unlessConstrainedTo: "FlagFeatures") }
        return Set(members.filter { $0.access == "public" }.map(\.name))
    }

    @Test("are exactly those that were released, because each of them hides users' flags of its name")
    func members() throws {
        let files = try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers")
        // Nobody names a flag like the requirement of CustomDebugStringConvertible.
        let found = Self.publicMembers(in: files.map(\.source)).subtracting(["debugDescription"])
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

    @Test("are found in the class and in its extensions, whatever their modifiers are")
    func scanner() {
        let source = SourceText(
            """
            public final class FlagsLoader<Collection>: Sendable {
                public let flags: Collection
                package let core: Core
                public private(set) var count = 0
                public static let shared = 1
                public init() { let local = 1 }
            }
            extension FlagsLoader where Collection: Equatable {
                public nonisolated func isEnabled(_ name: String) -> Bool { var inner = 1 }
                func hidden() {}
            }
            public extension FlagsLoader { var manifest: Int { 1 } }
            extension FlagsLoader where Collection: FlagFeatures { public func value() -> Int { 1 } }
            extension FlagsManager { public var other: Int { 1 } }
            """)
        #expect(Self.publicMembers(in: [source]) == ["flags", "count", "isEnabled", "manifest"])
    }
}
