import Foundation
import Synchronization
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

@Suite("A local provider that follows its file", .hangLimit)
struct LocalProviderWatchingTests {
    let folder: TemporaryFolder
    /// On Linux both do the same, at another pace.
    private let quick = LocalProvider.ChangeDetection.polling(every: .milliseconds(10))

    init() throws { folder = try TemporaryFolder() }

    /// Returns the changes that an observer is notified of, until one of them has a certain value.
    private func changes(
        of provider: some FlagProvider, until value: EncodedFlagValue?, after action: () throws -> Void
    ) async throws -> [FlagProviderChange] {
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        try action()
        var all: [FlagProviderChange] = []
        for await case .changed(let changes) in notices {
            all += changes
            if changes.contains(where: { $0.key == "x" && $0.new == value }) { break }
        }
        try Task.checkCancellation()
        withExtendedLifetime(observer) {}
        return all
    }

    private func write(_ number: Int, to path: String) throws {
        try Data("{\"x\": \(number)}".utf8).write(to: folder.file(path))
    }

    private func makeFolders(_ paths: String...) throws {
        for path in paths {
            try FileManager.default.createDirectory(at: folder.file(path), withIntermediateDirectories: true)
        }
    }

    /// Makes a link, or replaces it in one step.
    private func link(_ path: String, to destination: String) throws {
        let new = folder.file(path + ".new").path
        try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: destination)
        #expect(rename(new, folder.file(path).path) == 0)
    }

    @Test("announces what another provider of its file writes, with old and new value, and writes without a flush")
    func otherProvider() async throws {
        for detection in [quick, .automatic] {
            let url = try folder.file("a.json", #"{"x": 1, "gone": 2}"#)
            let provider = LocalProvider(file: url, changeDetection: detection)
            let other = LocalProvider(file: url, writeDelay: .milliseconds(1))
            let changes = try await changes(of: provider, until: 5) { try other.setValues(["x": 5, "gone": nil]) }
            #expect(
                changes == [
                    FlagProviderChange(key: "gone", old: 2, new: nil), FlagProviderChange(key: "x", old: 1, new: 5),
                ])
        }
    }

    @Test("announces a file that is written in place, comes, or goes, with its folder, several times")
    func comesAndGoes() async throws {
        let url = folder.file("later/on/a.json")
        let provider = LocalProvider(file: url, changeDetection: quick)
        for number in [1, 3] {
            try await #expect(
                changes(of: provider, until: .integer(Int128(number))) {
                    try makeFolders("later/on")
                    try write(number, to: "later/on/a.json")
                }.count == 1)
            _ = try await changes(of: provider, until: 2) {
                let handle = try FileHandle(forWritingTo: url)
                try handle.write(contentsOf: Data(#"{"x": 2}"#.utf8))
                try handle.close()
            }
            _ = try await changes(of: provider, until: nil) {
                try FileManager.default.removeItem(at: folder.file("later"))
            }
        }
    }

    /// A path, the links on it, and how it comes to lead from `one` to `two`.
    private struct Layout {
        let path: String
        var links: [(String, String)] = []
        /// The link that is re-pointed, or `nil` if a folder is replaced.
        var repointed: (String, String)?
    }

    private static let layouts = [
        Layout(path: "current/flags.json", links: [("current", "one")], repointed: ("current", "two")),
        Layout(
            path: "current/flags.json", links: [("up", "one"), ("current", "up/sub")], repointed: ("up", "two")),
        Layout(path: "one/sub/flags.json"),
        Layout(path: "flags.json", links: [("flags.json", "one/sub/flags.json")]),
        Layout(
            path: "a/flags.json",
            links: [("a/flags.json", "../b/middle.json"), ("b/middle.json", "../one/flags.json")],
            repointed: ("b/middle.json", "../two/flags.json")),
        // A file in a volume of a Kubernetes ConfigMap, whose old version stays.
        Layout(
            path: "app/flags.json",
            links: [
                ("b/..data", "../one"), ("b/flags.json", "..data/flags.json"), ("app/flags.json", "../b/flags.json"),
            ], repointed: ("b/..data", "../two")),
        Layout(path: "link/../flags.json", links: [("link", "one/sub")], repointed: ("link", "two/sub")),
        Layout(path: "\u{301}a/e\u{301}.json", links: [("\u{301}a/e\u{301}.json", "../one/flags.json")]),
    ]

    @Test("follows it wherever its path leads, and writes it there")
    func layouts() async throws {
        for layout in Self.layouts {
            for isWritten in [false, true] { try await Self().expectFollowed(layout, isWritten: isWritten) }
        }
    }

    private func expectFollowed(_ layout: Layout, isWritten: Bool) async throws {
        try makeFolders("one/sub", "two/sub", "a", "b", "app", "\u{301}a")
        for (number, place) in [(1, "one"), (2, "two")] {
            try write(number, to: place + "/flags.json")
            try write(number, to: place + "/sub/flags.json")
        }
        for (path, destination) in layout.links { try link(path, to: destination) }
        let provider = LocalProvider(file: folder.file(layout.path), changeDetection: quick)
        #expect(provider.value(at: "x") == 1)
        _ = try await changes(of: provider, until: 2) {
            if let (path, destination) = layout.repointed {
                try link(path, to: destination)
            } else {
                #expect(rename(folder.file("one").path, folder.file("gone").path) == 0)
                #expect(rename(folder.file("two").path, folder.file("one").path) == 0)
            }
            if isWritten { try provider.setValue(true, for: "own") }
        }
        #expect(provider.document?.root == (isWritten ? ["x": 2, "own": true] : ["x": 2]), "\(layout)")
        _ = try await changes(of: provider, until: 3) { try write(3, to: layout.path) }
        for (path, destination) in layout.links where path != layout.repointed?.0 {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file(path).path) == destination)
        }
    }

    @Test("announces a change under another name of the file")
    func hardLink() async throws {
        try write(1, to: "a.json")
        #expect(Foundation.link(folder.file("a.json").path, folder.file("b.json").path) == 0)
        let provider = ReadOnlyLocalProvider(file: folder.file("a.json"), changeDetection: quick)
        _ = try await changes(of: provider, until: 2) {
            let handle = try FileHandle(forWritingTo: folder.file("b.json"))
            try handle.write(contentsOf: Data(#"{"x": 2}"#.utf8))
            try handle.close()
        }
    }

    @Test("announces each change once, and not its own writes again")
    func ownWrites() async throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(file: url, changeDetection: quick)
        let changes = try await changes(of: provider, until: true) {
            try provider.setValue(1, for: "number")
            try provider.reload()
            // A foreign writer that lays the file out anew changes no value.
            try Data(#"{"number":1}"#.utf8).write(to: url)
            try provider.reload()
            try LocalProvider(file: url).setValue(true, for: "x")
        }
        #expect(
            changes == [
                FlagProviderChange(key: "number", old: nil, new: 1), FlagProviderChange(key: "x", old: nil, new: true),
            ])
    }
}

/// Time passes when a test says so.
final class Moments: Sendable {
    private let due = Mutex<[(delay: Duration, action: @Sendable () -> Void)]>([])

    var delays: [Duration] { due.withLock { $0.map(\.delay) } }

    /// Lets the time pass for which anybody waits.
    func pass() {
        let actions = due.withLock { due in
            defer { due = [] }
            return due
        }
        for (_, action) in actions { action() }
    }

    var settings: LocalProvider.Settings {
        var settings = LocalProvider.Settings()
        settings.timer = { delay, action in self.due.withLock { $0.append((delay, action)) } }
        return settings
    }
}

#if os(Linux)
    @Suite("A local file at each look", .hangLimit)
    struct LocalFileLookTests {
        private let folder: TemporaryFolder
        private let moments = Moments()

        init() throws { folder = try TemporaryFolder() }

        private func localFile(_ name: String) -> LocalProvider {
            LocalProvider(file: folder.file(name), name: "local", settings: moments.settings)
        }

        @Test("keeps its values while it is missing once, and has none when it is missing twice")
        func missing() throws {
            let url = try folder.file("a.json", #"{"x": 1}"#)
            let file = localFile("a.json")
            moments.pass()
            for number in 2...3 {
                try FileManager.default.moveItem(at: url, to: folder.file("a.json~\(number)"))
                moments.pass()
                #expect(file.document?.root == ["x": .integer(Int128(number - 1))])
                _ = try folder.file("a.json", "{\"x\": \(number)}")
                moments.pass()
                #expect(file.document?.root == ["x": .integer(Int128(number))])
            }
            try FileManager.default.removeItem(at: url)
            moments.pass()
            #expect(file.document != FlagDocument())
            moments.pass()
            #expect(file.document == FlagDocument() && moments.delays == [.seconds(1)])
        }

        @Test("notices a second change in the moment of the first, which changes neither size nor time")
        func sameMoment() throws {
            let url = try folder.file("a.json", #"{"x": 1}"#)
            let file = localFile("a.json")
            for number in 2...5 {
                for digit in [number, number + 4] {
                    let handle = try FileHandle(forWritingTo: url)
                    try handle.write(contentsOf: Data("{\"x\": \(digit)}".utf8))
                    try handle.close()
                    if digit == number { moments.pass() }
                }
                moments.pass()
                #expect(file.document?.root == ["x": .integer(Int128(number + 4))])
            }
        }

        @Test("that cannot be read is reported with file, line and column, once for each change, if it lasts")
        func reported() throws {
            let issues = Mutex<[FlagError]>([])
            let url = try folder.file("a.json", #"{ "n": 5, }"#)
            let reporter = FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }
            let file = FlagIssueReporter.withReporter(reporter) { localFile("a.json") }
            #expect(
                issues.withLock { $0.map(\.message) } == [
                    """
                    Provider "local": \(url.path) cannot be read: line 1, column 11: a comma stands before the closing brace; \
                    remove the comma. Correct the file; until then it is neither used nor overwritten.
                    """
                ])
            #expect(issues.withLock { $0.first?.code } == .unreadableFile)
            for _ in 0..<3 { moments.pass() }
            #expect(issues.withLock { $0.count } == 1)
            // Emptied and written: what an editor does for a moment is not reported.
            _ = try folder.file("a.json", "")
            moments.pass()
            _ = try folder.file("a.json", #"{ "n": 5 }"#)
            for _ in 0..<3 { moments.pass() }
            #expect(issues.withLock { $0.count } == 1)
            _ = try folder.file("a.json", #"{ "n": 5, }"#)
            moments.pass()
            #expect(issues.withLock { $0.count } == 1)
            for _ in 0..<3 { moments.pass() }
            #expect(issues.withLock { $0.count } == 2)
            #expect(file.document?.root == ["n": 5])
        }

        @Test("is never copied over another one, if a link to it is re-pointed during a write")
        func repointedLink() throws {
            for isFolder in [true, false] { try Self().repointedLink(isFolder: isFolder) }
        }

        private func point(_ link: String, to destination: String) throws {
            let next = folder.file("next")
            try FileManager.default.createSymbolicLink(atPath: next.path, withDestinationPath: destination)
            try #require(rename(next.path, folder.file(link).path) == 0)
        }

        private func repointedLink(isFolder: Bool) throws {
            for (name, text) in [("one", #"{"a": 1}"#), ("two", #"{"b": 2}"#)] {
                try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
                _ = try folder.file("\(name)/flags.json", text)
            }
            let (link, ending) = isFolder ? ("link", "") : ("link.json", "/flags.json")
            try point(link, to: "one" + ending)
            let reads = Mutex(0)
            var settings = moments.settings
            settings.reading = { [self] path, limit throws(FileFailure) in
                // The second reading is that of the write, after the lock was taken.
                let count = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                if count == 2 { try? point(link, to: "two" + ending) }
                return try StoredFile.bytes(of: path, limit: limit)
            }
            let file = LocalProvider(
                file: folder.file(isFolder ? "link/flags.json" : "link.json"), name: "local", changeDetection: .off,
                settings: settings)
            try file.change { $0.setValue(true, for: "x") }
            #expect(LocalProvider(file: folder.file("one/flags.json")).document?.root == ["a": 1, "x": true])
            #expect(try folder.text("two/flags.json") == #"{"b": 2}"#)
            // From now on it is the other one, which is neither mixed with the first.
            try file.reload()
            #expect(file.document?.root == ["b": 2])
            try file.change { $0.setValue(true, for: "y") }
            #expect(LocalProvider(file: folder.file("two/flags.json")).document?.root == ["b": 2, "y": true])
        }
    }
#endif
