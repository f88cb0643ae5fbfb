import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A local provider hears", .hangLimit)
struct LocalProviderWatchingTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    static let detections: [LocalProvider.ChangeDetection] = [.automatic, .polling(every: .milliseconds(10))]

    /// Waits for the first notices and returns the changes in them, until a key is among them.
    private func changes(
        of provider: LocalProvider,
        until key: FlagKeyPath,
        after action: () throws -> Void
    ) async throws -> [FlagProviderChange] {
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        try action()
        var all: [FlagProviderChange] = []
        for await case .changed(let changes) in notices {
            all += changes
            if changes.contains(where: { $0.key == key }) { break }
        }
        try Task.checkCancellation()
        withExtendedLifetime(observer) {}
        return all
    }

    @Test("what another provider of its file writes, with old and new value")
    func otherProvider() async throws {
        for detection in Self.detections {
            try await Self().otherProvider(detection: detection)
        }
    }

    private func otherProvider(detection: LocalProvider.ChangeDetection) async throws {
        let url = try folder.file("a.json", #"{"x": 1, "gone": 2}"#)
        let provider = LocalProvider(localURL: url, options: LocalProvider.Options(changeDetection: detection))
        let changes = try await changes(of: provider, until: "x") {
            try LocalProvider(localURL: url).setValues(["x": 5, "gone": nil])
        }
        #expect(
            changes == [
                FlagProviderChange(key: "gone", old: 2, new: nil), FlagProviderChange(key: "x", old: 1, new: 5),
            ]
        )
    }

    @Test("of a file that is written in place, comes, or goes")
    func editors() async throws {
        for detection in Self.detections {
            try await Self().editors(detection: detection)
        }
    }

    private func editors(detection: LocalProvider.ChangeDetection) async throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(localURL: url, options: LocalProvider.Options(changeDetection: detection))
        var told = try await changes(of: provider, until: "x") { try Data(#"{"x": 1}"#.utf8).write(to: url) }
        #expect(told == [FlagProviderChange(key: "x", old: nil, new: 1)])
        told = try await changes(of: provider, until: "x") {
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data(#"{"x": 2}"#.utf8))
            try handle.close()
        }
        #expect(told == [FlagProviderChange(key: "x", old: 1, new: 2)])
        told = try await changes(of: provider, until: "x") { try FileManager.default.removeItem(at: url) }
        #expect(told == [FlagProviderChange(key: "x", old: 2, new: nil)])
    }

    @Test("of a file in a folder that is made later")
    func laterFolder() async throws {
        let url = folder.file("later/a.json")
        let options = LocalProvider.Options(changeDetection: .automatic)
        let provider = LocalProvider(localURL: url, options: options)
        _ = try await changes(of: provider, until: "x") { try LocalProvider(localURL: url).setValue(1, for: "x") }
        // From now on the operating system reports changes.
        _ = try await changes(of: provider, until: "x") { try LocalProvider(localURL: url).setValue(2, for: "x") }
        #expect(provider.value(at: "x") == 2)
    }

    @Test("that a symbolic link leads elsewhere, as in mounted configuration")
    func swappedLink() async throws {
        for number in [1, 2] {
            let place = folder.file("version\(number)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            _ = try folder.file("version\(number)/a.json", "{\"x\": \(number)}")
        }
        let link = { [folder] (name: String, destination: String) in
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name).path, withDestinationPath: destination)
        }
        try link("data", "version1")
        try link("a.json", "data/a.json")
        let provider = ReadOnlyLocalProvider(localURL: folder.file("a.json"), changeDetection: .automatic)
        #expect(provider.value(at: "x") == 1)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        try link("next", "version2")
        #expect(rename(folder.file("next").path, folder.file("data").path) == 0)
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next() == .changed([FlagProviderChange(key: "x", old: 1, new: 2)]))
        withExtendedLifetime(observer) {}
    }

    @Test("each change once: neither its own writes again, nor that a date became text")
    func ownWrites() async throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(localURL: url)
        let date = EncodedFlagValue.date(Date(timeIntervalSinceReferenceDate: 1))
        let changes = try await changes(of: provider, until: "end") {
            try provider.setValue(date, for: "date")
            try provider.reload()
            // A foreign writer that lays the file out anew changes no value.
            try Data(#"{"date":"2001-01-01T00:00:01Z"}"#.utf8).write(to: url)
            try provider.reload()
            try LocalProvider(localURL: url).setValue(true, for: "end")
        }
        #expect(
            changes == [
                FlagProviderChange(key: "date", old: nil, new: date),
                FlagProviderChange(key: "end", old: nil, new: true),
            ]
        )
    }

    @Test("that a file was corrected after it could not be read")
    func corrected() async throws {
        let url = try folder.file("a.json", "{")
        let provider = LocalProvider(localURL: url)
        let changes = try await changes(of: provider, until: "x") { try Data(#"{"x": 1}"#.utf8).write(to: url) }
        #expect(changes == [FlagProviderChange(key: "x", old: nil, new: 1)])
        #expect(provider.status == .ready)
    }

    @Test("gathered writes of another provider without a flush")
    func gathered() async throws {
        let url = folder.file("a.json")
        let reader = LocalProvider(localURL: url)
        let writer = LocalProvider(localURL: url, options: LocalProvider.Options(writeDelay: .milliseconds(1)))
        let changes = try await changes(of: reader, until: "x") { try writer.setValue(1, for: "x") }
        #expect(changes == [FlagProviderChange(key: "x", old: nil, new: 1)])
        withExtendedLifetime(writer) {}
    }
}
