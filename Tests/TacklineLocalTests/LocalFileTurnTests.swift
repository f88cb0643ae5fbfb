import Foundation
import Synchronization
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

/// What happens to a file at just the wrong moment, in time that the tests pass.
@Suite("A local file at the wrong moment", .hangLimit)
struct LocalFileTurnTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private final class Moments: Sendable {
        private let due = Mutex<[@Sendable () -> Void]>([])
        private let beforeReading = Mutex<(@Sendable () -> Void)?>(nil)

        /// Runs once, when the file is read the next time.
        func atNextReading(_ action: @escaping @Sendable () -> Void) { beforeReading.withLock { $0 = action } }

        /// Lets the time pass for which anybody waits.
        func passTime() {
            let actions = due.withLock { due in
                defer { due = [] }
                return due
            }
            for action in actions { action() }
        }

        var surroundings: LocalSurroundings {
            LocalSurroundings(
                suspension: nil, protectsFiles: false,
                timer: { _, action in self.due.withLock { $0.append(action) } },
                read: { path, limit throws(FileFailure) in
                    let action = self.beforeReading.withLock { action in
                        defer { action = nil }
                        return action
                    }
                    action?()
                    return try StoredFile.bytes(of: path, limit: limit)
                })
        }
    }

    private let moments = Moments()

    private func localFile(_ name: String) -> LocalFile {
        LocalFile(
            name: "local", url: folder.file(name), format: .values,
            options: LocalProvider.Options(changeDetection: .off),
            surroundings: moments.surroundings)
    }

    private func point(_ link: String, to destination: String) throws {
        let next = folder.file("next")
        try FileManager.default.createSymbolicLink(atPath: next.path, withDestinationPath: destination)
        try #require(rename(next.path, folder.file(link).path) == 0)
    }

    @Test("is never copied over another one, if a link to it is re-pointed during a write")
    func repointedLink() throws {
        for isFolder in [true, false] {
            try Self().repointedLink(isFolder: isFolder)
        }
    }

    private func repointedLink(isFolder: Bool) throws {
        for (name, text) in [("one", #"{"a": 1}"#), ("two", #"{"b": 2}"#)] {
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            _ = try folder.file("\(name)/flags.json", text)
        }
        let (link, ending) = isFolder ? ("link", "") : ("link.json", "/flags.json")
        try point(link, to: "one" + ending)
        let file = localFile(isFolder ? "link/flags.json" : "link.json")
        moments.atNextReading { try? point(link, to: "two" + ending) }
        try file.change(.set(["x": true]))
        #expect(LocalProvider(localURL: folder.file("one/flags.json")).document?.root == ["a": 1, "x": true])
        #expect(try folder.text("two/flags.json") == #"{"b": 2}"#)
        // From now on it is the other one, which is neither mixed with the first.
        try file.reload()
        #expect(file.contents.document.root == ["b": 2])
        try file.change(.set(["y": true]))
        #expect(LocalProvider(localURL: folder.file("two/flags.json")).document?.root == ["b": 2, "y": true])
    }

    @Test("that is renamed away and made anew shows no defaults in between, and one that stays away does")
    func renamedAway() throws {
        let url = try folder.file("a.json", #"{"x": 1}"#)
        let file = localFile("a.json")
        let told = Mutex<[FlagProviderChange]>([])
        let observer = FlagProviderObserver { notice, _ in
            if case .changed(let changes) = notice { told.withLock { $0 += changes } }
        }
        #expect(file.contents.observe(observer))
        for number in 2...3 {
            try FileManager.default.moveItem(at: url, to: folder.file("a.json~\(number)"))
            file.noticeChange()
            file.noticeChange()
            #expect(file.contents.document.root == ["x": .integer(Int128(number - 1))])
            _ = try folder.file("a.json", "{\"x\": \(number)}")
            file.noticeChange()
            #expect(file.contents.document.root == ["x": .integer(Int128(number))])
        }
        moments.passTime()
        #expect(
            told.withLock { $0 } == [
                FlagProviderChange(key: "x", old: 1, new: 2), FlagProviderChange(key: "x", old: 2, new: 3),
            ])
        try FileManager.default.removeItem(at: url)
        file.noticeChange()
        #expect(!file.contents.document.root.isEmpty)
        moments.passTime()
        #expect(file.contents.document.root.isEmpty)
    }

    @Test("that cannot be read is reported with file, line and column, once for each change")
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
        try? file.reload()
        file.noticeChange()
        moments.passTime()
        #expect(issues.withLock { $0.count } == 1)
        // Emptied and written: what an editor does for a moment is not reported.
        _ = try folder.file("a.json", "")
        file.noticeChange()
        _ = try folder.file("a.json", #"{ "n": 5 }"#)
        file.noticeChange()
        moments.passTime()
        #expect(issues.withLock { $0.count } == 1)
        _ = try folder.file("a.json", #"{ "n": 5, }"#)
        file.noticeChange()
        #expect(issues.withLock { $0.count } == 1)
        moments.passTime()
        #expect(issues.withLock { $0.count } == 2)
        #expect(file.contents.document.root == ["n": 5])
    }
}
