import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("A write or a reset through one flag", .hangLimit)
struct NeighbourTests {
    struct Switch: FlagCollectionProtocol {
        @Flag(default: false) var search: Bool
    }

    struct Limits: FlagCollectionProtocol {
        @Flag(key: "search", default: [:]) var limits: [String: Int]
    }

    struct Search: FlagCollectionProtocol {
        @Flag(key: .absolute("search/limit"), default: 1) var limit: Int
        @Flag(key: .absolute("search/order"), default: "name") var order: String
    }

    /// Every kind of provider that can be written to, with a way to open what it keeps again.
    static func providers(in folder: TemporaryFolder) -> [() throws -> any WritableFlagProvider] {
        let memory = MemoryProvider()
        let suite = suite(of: folder)
        return [
            { memory }, { LocalProvider(localURL: folder.file("flags.json")) },
            { LocalProvider(localURL: folder.file("flags.plist")) }, { UserDefaultsProvider(suiteName: suite) },
            {
                FlagOverrides(
                    storage: LocalProvider(localURL: folder.file("overrides.json")), environment: .nonProduction)
            },
        ]
    }

    private static func suite(of folder: TemporaryFolder) -> String { "neighbours-\(folder.url.lastPathComponent)" }

    private static func removeSuite(of folder: TemporaryFolder) {
        UserDefaults.standard.removePersistentDomain(forName: suite(of: folder))
    }

    @Test("leaves what the flags of a group with its name read, also after a relaunch")
    func group() throws {
        let folder = try TemporaryFolder()
        defer { Self.removeSuite(of: folder) }
        for open in Self.providers(in: folder) {
            let provider = try open()
            let (flag, group) = (loader(Switch.self, provider), loader(Search.self, provider))
            try group.$limit.setValue(50)
            try group.$order.setValue("date")
            try flag.$search.setValue(true)
            #expect(flag.search && group.limit == 50 && group.order == "date", "\(provider.name)")
            let again = try open()
            let (flagAgain, groupAgain) = (loader(Switch.self, again), loader(Search.self, again))
            #expect(flagAgain.search && groupAgain.limit == 50 && groupAgain.order == "date", "\(provider.name)")
            try groupAgain.$limit.resetValue()
            #expect(flagAgain.search && groupAgain.limit == 1 && groupAgain.order == "date", "\(provider.name)")
            try flagAgain.$search.resetValue()
            #expect(!flagAgain.search && groupAgain.order == "date", "\(provider.name)")
            #expect(flagAgain.$search.flagValue(fromProviderNamed: again.name) == nil, "\(provider.name)")
        }
    }

    @Test("leaves a group of a file byte for byte as it is if the flag has no value there")
    func resetOfGroup() throws {
        let folder = try TemporaryFolder()
        let text = #"{"search":{"limit":50,"order":"date"}}"#
        let file = LocalProvider(localURL: try folder.file("flags.json", text))
        let (flag, group) = (loader(Switch.self, file), loader(Search.self, file))
        try flag.$search.resetValue()
        #expect(try folder.text("flags.json") == text && group.limit == 50)
        try flag.$search.setValue(true)
        #expect(flag.search && group.limit == 50 && group.order == "date")
        let again = LocalProvider(localURL: folder.file("flags.json"))
        #expect(loader(Switch.self, again).search && loader(Search.self, again).order == "date")
        try flag.$search.resetValue()
        #expect(!flag.search && group.limit == 50 && group.order == "date")
    }

    @Test("neither answers for members of a dictionary nor edits it, also after a relaunch")
    func dictionary() throws {
        let folder = try TemporaryFolder()
        defer { Self.removeSuite(of: folder) }
        for open in Self.providers(in: folder) {
            let provider = try open()
            let (whole, group) = (loader(Limits.self, provider), loader(Search.self, provider))
            try whole.$limits.setValue(["limit": 50])
            #expect(whole.limits == ["limit": 50] && group.limit == 1, "\(provider.name)")
            let again = try open()
            let (wholeAgain, groupAgain) = (loader(Limits.self, again), loader(Search.self, again))
            #expect(wholeAgain.limits == ["limit": 50] && groupAgain.limit == 1, "\(provider.name)")
            try groupAgain.$limit.setValue(7)
            #expect(wholeAgain.limits == ["limit": 50] && groupAgain.limit == 7, "\(provider.name)")
            try wholeAgain.$limits.setValue(["limit": 51])
            #expect(wholeAgain.limits == ["limit": 51] && groupAgain.limit == 7, "\(provider.name)")
            try wholeAgain.$limits.resetValue()
            #expect(wholeAgain.limits == [:] && groupAgain.limit == 7, "\(provider.name)")
        }
    }

    @Test("removes the dictionary of a file for its flag, and not for the flags of a group with its name")
    func resetOfDictionary() throws {
        let folder = try TemporaryFolder()
        let file = LocalProvider(localURL: try folder.file("flags.json", #"{"search":{"limit":50}}"#))
        let (whole, group) = (loader(Limits.self, file), loader(Search.self, file))
        #expect(whole.limits == ["limit": 50] && group.limit == 50)
        try whole.$limits.resetValue()
        #expect(whole.limits == [:] && group.limit == 50)
        let again = LocalProvider(localURL: folder.file("flags.json"))
        #expect(loader(Limits.self, again).limits == [:] && loader(Search.self, again).limit == 50)
        try whole.$limits.setValue(["limit": 2])
        #expect(whole.limits == ["limit": 2] && group.limit == 50)
    }

    @Test("loses no other flag's value while two threads write and reset")
    func twoThreads() async throws {
        let folder = try TemporaryFolder()
        defer { Self.removeSuite(of: folder) }
        for open in Self.providers(in: folder) {
            let provider = try open()
            let (flag, group) = (loader(Switch.self, provider), loader(Search.self, provider))
            try group.$order.setValue("date")
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    for round in 0..<40 {
                        try flag.$search.setValue(round % 2 == 0)
                        try flag.$search.resetValue()
                    }
                }
                tasks.addTask {
                    for round in 0..<40 {
                        try group.$limit.setValue(round)
                        #expect(group.order == "date", "\(provider.name)")
                        try group.$limit.resetValue()
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(!flag.search && group.limit == 1 && group.order == "date", "\(provider.name)")
        }
    }

    @Test("is no question within a loader or a manager, where one name for a flag and a group is a mistake")
    func declaration() throws {
        struct Both: FlagCollectionProtocol {
            @Flag(default: false) var search: Bool
            @FlagCollection(key: "search", description: "Search") var group: Inner
        }
        struct Inner: FlagCollectionProtocol { @Flag(default: 1) var limit: Int }
        let recorder = IssueRecorder()
        let both = FlagsLoader(Both.self, providers: [], issueReporter: recorder.reporter)
        #expect(recorder.issues.map(\.code) == [.overlappingKeys])
        #expect(recorder.issues.first?.key == "search/limit")
        #expect(recorder.issues.first?.message.contains("Give one of them a key of its own") == true)
        #expect(throws: (any Error).self) { try both.validate() }

        let managed = IssueRecorder()
        let manager = FlagsManager(providers: [], issueReporter: managed.reporter)
        manager.addCollection(Search.self)
        manager.addCollection(Switch.self)
        #expect(managed.issues.map(\.code) == [.overlappingKeys])
        let reversed = FlagsManager(providers: [], issueReporter: managed.reporter)
        reversed.addCollection(Switch.self)
        reversed.addCollection(Search.self)
        #expect(managed.issues.map(\.code) == [.overlappingKeys, .overlappingKeys, .overlappingKeys])
    }

    private func loader<Flags: FlagCollectionProtocol>(
        _ type: Flags.Type, _ provider: any WritableFlagProvider
    ) -> FlagsLoader<Flags> {
        // Loaders that do not know of each other.
        FlagsLoader(type, providers: ProviderChain([provider]), issueReporter: .silent)
    }
}
