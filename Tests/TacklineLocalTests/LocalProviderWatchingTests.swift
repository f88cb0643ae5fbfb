import Foundation
import Synchronization
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

/// Time passes when a test says so.
final class Moments: Sendable {
    private let due = Mutex<[@Sendable () -> Void]>([])

    /// Lets the time pass for which anybody waits.
    func pass() {
        let actions = due.withLock { due in
            defer { due = [] }
            return due
        }
        for action in actions { action() }
    }

    var settings: LocalProvider.Settings {
        var settings = LocalProvider.Settings()
        settings.timer = { _, action in self.due.withLock { $0.append(action) } }
        return settings
    }
}

@Suite("A local provider that follows its file", .hangLimit)
struct LocalProviderWatchingTests {
    private let folder: TemporaryFolder
    private let moments = Moments()

    init() throws { folder = try TemporaryFolder() }

    private func provider(_ path: String) -> LocalProvider {
        LocalProvider(
            file: folder.file(path), name: "local", changeDetection: .polling(every: .seconds(1)),
            settings: moments.settings)
    }

    private func write(_ number: Int, to path: String) throws { _ = try folder.file(path, "{\"x\": \(number)}") }

    /// Writes into the file that is there.
    private func writeInPlace(_ text: String, to url: URL) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
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

    @Test("announces what others write, with old and new value, once, without a test that moves the time")
    func otherProvider() async throws {
        for detection in [LocalProvider.ChangeDetection.polling(every: .milliseconds(10)), .automatic] {
            let url = try folder.file("a.json", #"{"x": 1, "gone": 2}"#)
            let provider = LocalProvider(file: url, changeDetection: detection)
            let (observer, notices) = FlagProviderObserver.makeStream()
            #expect(provider.observe(observer))
            // A foreign writer that lays the file out anew changes no value.
            try Data(#"{"gone":2,"x":1}"#.utf8).write(to: url)
            try provider.reload()
            try LocalProvider(file: url, writeDelay: .milliseconds(1)).setValues(["x": 5, "gone": nil])
            for await notice in notices {
                let expected = [
                    FlagProviderChange(key: "gone", old: 2, new: nil), FlagProviderChange(key: "x", old: 1, new: 5),
                ]
                #expect(notice == .changed(expected))
                break
            }
            withExtendedLifetime(observer) {}
        }
    }

    /// A path, the links on it, and the link that is re-pointed from `one` to `two`, or `nil` if a folder is replaced.
    private typealias Layout = (path: String, links: [(String, String)], repointed: (String, String)?)

    private static let layouts: [Layout] = [
        ("current/flags.json", [("current", "one")], ("current", "two")),
        ("current/flags.json", [("up", "one"), ("current", "up/sub")], ("up", "two")),
        ("one/sub/flags.json", [], nil),
        ("flags.json", [("flags.json", "one/sub/flags.json")], nil),
        // A file in a volume of a Kubernetes ConfigMap, whose old version stays.
        (
            "app/flags.json",
            [("b/..data", "../one"), ("b/flags.json", "..data/flags.json"), ("app/flags.json", "../b/flags.json")],
            ("b/..data", "../two")
        ),
        ("link/../flags.json", [("link", "one/sub")], ("link", "two/sub")),
        ("\u{301}a/e\u{301}.json", [("\u{301}a/e\u{301}.json", "../one/flags.json")], nil),
    ]

    @Test("follows it wherever its path leads, and writes it there")
    func layouts() throws {
        for layout in Self.layouts {
            for isWritten in [false, true] { try Self().expectFollowed(layout, isWritten: isWritten) }
        }
    }

    private func expectFollowed(_ layout: Layout, isWritten: Bool) throws {
        try makeFolders("one/sub", "two/sub", "b", "app", "\u{301}a")
        for (number, place) in [(1, "one"), (2, "two")] {
            try write(number, to: place + "/flags.json")
            try write(number, to: place + "/sub/flags.json")
        }
        for (path, destination) in layout.links { try link(path, to: destination) }
        let provider = self.provider(layout.path)
        #expect(provider.value(at: "x") == 1)
        if let (path, destination) = layout.repointed {
            try link(path, to: destination)
        } else {
            #expect(rename(folder.file("one").path, folder.file("gone").path) == 0)
            #expect(rename(folder.file("two").path, folder.file("one").path) == 0)
        }
        if isWritten { try provider.setValue(true, for: "own") } else { moments.pass() }
        #expect(provider.document?.root == (isWritten ? ["x": 2, "own": true] : ["x": 2]), "\(layout)")
        try write(3, to: layout.path)
        moments.pass()
        #expect(provider.value(at: "x") == 3, "\(layout)")
        for (path, destination) in layout.links where path != layout.repointed?.0 {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file(path).path) == destination)
        }
    }

    @Test("keeps its values while it is missing once, has none when it is missing twice, and finds it again")
    func missing() throws {
        let provider = self.provider("later/on/a.json")
        for number in 1...3 {
            try makeFolders("later/on")
            try write(number, to: "later/on/a.json")
            moments.pass()
            #expect(provider.value(at: "x") == .integer(Int128(number)))
            // As an editor saves that renames the file away.
            let url = folder.file("later/on/a.json")
            try FileManager.default.moveItem(at: url, to: folder.file("later/on/a.json~"))
            moments.pass()
            #expect(provider.value(at: "x") == .integer(Int128(number)))
            try write(number + 10, to: "later/on/a.json")
            moments.pass()
            #expect(provider.value(at: "x") == .integer(Int128(number + 10)))
            try FileManager.default.removeItem(at: folder.file("later"))
            moments.pass()
            #expect(provider.document != FlagDocument())
            moments.pass()
            #expect(provider.document == FlagDocument())
        }
    }

    @Test("notices a second change in the moment of the first, which changes neither size nor time")
    func sameMoment() throws {
        let url = try folder.file("a.json", #"{"x": 1}"#)
        let provider = self.provider("a.json")
        for number in 2...5 {
            for digit in [number, number + 4] {
                try writeInPlace("{\"x\": \(digit)}", to: url)
                if digit == number { moments.pass() }
            }
            moments.pass()
            #expect(provider.document?.root == ["x": .integer(Int128(number + 4))])
        }
    }

    @Test("reports a file that cannot be read with line and column, once for each change, if it lasts")
    func reported() throws {
        let log = IssueRecorder()
        let url = try folder.file("a.json", #"{ "n": 5, }"#)
        let provider = FlagIssueReporter.withReporter(log.reporter) { self.provider("a.json") }
        #expect(
            log.issues.map(\.message) == [
                """
                Provider "local": \(url.path) cannot be read: line 1, column 11: a comma stands before the closing brace; \
                remove the comma. Correct the file; until then it is neither used nor overwritten.
                """
            ])
        #expect(log.codes == [.unreadableFile])
        // Emptied and written: what an editor does for a moment is not reported.
        for (text, count) in [("", 1), (#"{ "n": 5 }"#, 1), (#"{ "n": 5, }"#, 1)] {
            for _ in 0..<3 { moments.pass() }
            #expect(log.codes.count == count)
            _ = try folder.file("a.json", text)
            moments.pass()
            #expect(log.codes.count == count)
            if text.isEmpty { _ = try folder.file("a.json", #"{ "n": 4 }"#) }
        }
        for _ in 0..<3 { moments.pass() }
        #expect(log.codes.count == 2 && provider.document?.root == ["n": 5])
    }

    @Test("is never copied over another one, if a link to it is re-pointed during a write")
    func repointedLink() throws {
        for isFolder in [true, false] { try Self().repointedLink(isFolder: isFolder) }
    }

    private func repointedLink(isFolder: Bool) throws {
        try makeFolders("one", "two")
        for (name, text) in [("one", #"{"a": 1}"#), ("two", #"{"b": 2}"#)] {
            _ = try folder.file("\(name)/flags.json", text)
        }
        let (link, ending) = isFolder ? ("link", "") : ("link.json", "/flags.json")
        try self.link(link, to: "one" + ending)
        let reads = Counter()
        var settings = moments.settings
        settings.reading = { [self] path, limit throws(FileFailure) in
            // The second reading is that of the write, after the lock was taken.
            if reads.next() == 2 { try? self.link(link, to: "two" + ending) }
            return try StoredFile.bytes(of: path, limit: limit)
        }
        let provider = LocalProvider(
            file: folder.file(isFolder ? "link/flags.json" : "link.json"), changeDetection: .off, settings: settings)
        try provider.setValue(true, for: "x")
        #expect(LocalProvider(file: folder.file("one/flags.json")).document?.root == ["a": 1, "x": true])
        #expect(try folder.text("two/flags.json") == #"{"b": 2}"#)
        // From now on it is the other one, which is neither mixed with the first.
        try provider.reload()
        #expect(provider.document?.root == ["b": 2])
        try provider.setValue(true, for: "y")
        #expect(LocalProvider(file: folder.file("two/flags.json")).document?.root == ["b": 2, "y": true])
    }
}
