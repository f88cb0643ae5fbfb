import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A file is followed wherever its path leads", .hangLimit)
struct FollowedPathTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A path and the ways in which it comes to lead to another file.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: String
        let links: [String: String]
        let change: Change

        enum Change: Sendable {
            /// A link is replaced in one step.
            case link(String, to: String)
            /// A folder is moved away and another one moved to its place.
            case folder(String, by: String)
        }
    }

    static let cases = [
        Case(
            testDescription: "the folder of the file is a link that is re-pointed", path: "current/flags.json",
            links: ["current": "one"], change: .link("current", to: "two")),
        Case(
            testDescription: "a folder higher up is a link that is re-pointed", path: "current/flags.json",
            links: ["current": "up/sub", "up": "one"], change: .link("up", to: "two")),
        Case(
            testDescription: "a link higher up that stands in the path is re-pointed", path: "up/sub/flags.json",
            links: ["up": "one"], change: .link("up", to: "two")),
        Case(
            testDescription: "a folder higher up is renamed", path: "one/sub/flags.json", links: [:],
            change: .folder("one", by: "two")),
        Case(
            testDescription: "a folder of a link's destination is renamed", path: "flags.json",
            links: ["flags.json": "one/sub/flags.json"], change: .folder("one", by: "two")),
        Case(
            testDescription: "the middle link of a chain is re-pointed", path: "a/flags.json",
            links: ["a/flags.json": "../b/middle.json", "b/middle.json": "../one/flags.json"],
            change: .link("b/middle.json", to: "../two/flags.json")),
        Case(
            testDescription: "the file is a link into a mount of Kubernetes, whose old version stays",
            path: "app/flags.json",
            links: [
                "app/flags.json": "../mount/flags.json", "mount/flags.json": "..data/flags.json",
                "mount/..data": "../one",
            ], change: .link("mount/..data", to: "../two")),
        Case(
            testDescription: "the path goes up from where a link leads", path: "link/../flags.json",
            links: ["link": "one/sub"], change: .link("link", to: "two/sub")),
    ]

    enum Moment: CaseIterable {
        case before, afterReload, afterWrite
    }

    private func write(_ number: Int, to path: String) throws {
        try Data("{\"x\": \(number)}".utf8).write(to: folder.file(path))
    }

    private func makeLink(_ path: String, to destination: String) throws {
        let new = folder.file(path + ".new").path
        try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: destination)
        #expect(rename(new, folder.file(path).path) == 0)
    }

    private func lead(_ change: Case.Change) throws {
        switch change {
        case .link(let path, let destination):
            try makeLink(path, to: destination)
        case .folder(let path, let other):
            #expect(rename(folder.file(path).path, folder.file("gone").path) == 0)
            #expect(rename(folder.file(other).path, folder.file(path).path) == 0)
        }
    }

    @Test("so that a change there is noticed")
    func followed() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for given in Self.cases {
                for moment in Moment.allCases {
                    // Each has a folder of its own.
                    group.addTask { try await FollowedPathTests().expectNotices(given, moment) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func expectNotices(_ given: Case, _ moment: Moment) async throws {
        for place in ["one/sub", "two/sub", "a", "b", "app", "mount"] {
            try FileManager.default.createDirectory(at: folder.file(place), withIntermediateDirectories: true)
        }
        for (number, place) in [(1, "one"), (2, "two")] {
            try write(number, to: place + "/flags.json")
            try write(number, to: place + "/sub/flags.json")
        }
        for (path, destination) in given.links { try makeLink(path, to: destination) }
        let provider = LocalProvider(localURL: folder.file(given.path))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        #expect(provider.value(at: "x") == 1)
        try lead(given.change)
        var iterator = notices.makeAsyncIterator()
        switch moment {
        case .before: break
        case .afterReload: try provider.reload()
        case .afterWrite: try provider.setValue(true, for: "own")
        }
        var values: [EncodedFlagValue?] = []
        while values.last != 2, case .changed(let changes)? = await iterator.next() {
            values += changes.filter { $0.key == "x" }.map(\.new)
        }
        // Of what was there before, nothing reports any more, so this is seen only where the path leads now.
        try write(3, to: given.path)
        while values.last != 3, case .changed(let changes)? = await iterator.next() {
            values += changes.filter { $0.key == "x" }.map(\.new)
        }
        #expect(values.compactMap { $0 } == [2, 3], "\(given), \(moment)")
        withExtendedLifetime(observer) {}
    }

    @Test("even if it has another name, under which it is written")
    func hardLink() async throws {
        try write(1, to: "flags.json")
        try FileManager.default.createDirectory(at: folder.file("other"), withIntermediateDirectories: true)
        #expect(link(folder.file("flags.json").path, folder.file("other/name.json").path) == 0)
        let provider = LocalProvider(localURL: folder.file("flags.json"))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        let handle = try FileHandle(forWritingTo: folder.file("other/name.json"))
        try handle.write(contentsOf: Data(#"{"x": 2}"#.utf8))
        try handle.close()
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "x", old: 1, new: 2)]))
        withExtendedLifetime(observer) {}
    }

    @Test("also if a folder is deleted and made again, several times")
    func madeAgain() async throws {
        let place = folder.file("a")
        let provider = LocalProvider(localURL: folder.file("a/b/flags.json"))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        var iterator = notices.makeAsyncIterator()
        for number in 1...4 {
            try FileManager.default.createDirectory(at: folder.file("a/b"), withIntermediateDirectories: true)
            try write(number, to: "a/b/flags.json")
            var value: EncodedFlagValue?
            while value != .integer(Int128(number)), case .changed(let changes)? = await iterator.next() {
                value = changes.last?.new
            }
            #expect(value == .integer(Int128(number)))
            try FileManager.default.removeItem(at: place)
        }
        withExtendedLifetime(observer) {}
    }

    @Test("also if its name contains combining marks")
    func combiningMarks() async throws {
        let path = "\u{301}a/\u{302}b/e\u{301}.json"
        try FileManager.default.createDirectory(at: folder.file("\u{301}a/\u{302}b"), withIntermediateDirectories: true)
        try write(1, to: path)
        let provider = LocalProvider(localURL: folder.file(path))
        #expect(provider.value(at: "x") == 1)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        try write(2, to: path)
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "x", old: 1, new: 2)]))
        withExtendedLifetime(observer) {}
    }
}
