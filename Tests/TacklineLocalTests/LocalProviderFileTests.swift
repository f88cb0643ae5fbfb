import Foundation
import Synchronization
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("The file of a local provider", .hangLimit)
struct LocalProviderFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.posixPermissions] as? Int
    }

    @Test("keeps its permissions, and a new one has the usual ones")
    func permissions() throws {
        let url = try folder.file("a.json", "{}")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        try LocalProvider(file: url).setValue(1, for: "x")
        #expect(try mode("a.json") == 0o600)
        try Data("{}".utf8).write(to: folder.file("usual"))
        try LocalProvider(file: folder.file("new.json")).setValue(1, for: "x")
        #expect(try mode("new.json") == mode("usual"))
    }

    @Test("is created where the symbolic links lead that are there before it")
    func symbolicLinks() throws {
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
        for (link, destination) in [("one.json", "two.json"), ("two.json", "real/a.json")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link).path, withDestinationPath: destination)
        }
        try LocalProvider(file: folder.file("one.json")).setValue(1, for: "x")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("one.json").path) == "two.json")
        #expect(LocalProvider(file: folder.file("real/a.json")).value(at: "x") == 1)
        #expect(try folder.names() == ["one.json", "real", "two.json"])
    }

    @Test("is a property list by its extension, and stays binary if it was")
    func propertyLists() throws {
        let values: [FlagKeyPath: EncodedFlagValue?] = [
            "bool": true, "group/integer": 1, "double": 1.5, "null": nil,
            "date": .date(Date(timeIntervalSinceReferenceDate: 1000)), "data": .data(Data([0, 255])),
        ]
        for name in ["a.plist", "a.xml", "a.bplist", "A.PLIST"] {
            try LocalProvider(file: folder.file(name)).setValues(values)
            let read = LocalProvider(file: folder.file(name))
            for (key, value) in values { #expect(read.value(for: key) == value, "\(name) \(key)") }
            #expect(try folder.text(name).hasPrefix(name == "a.bplist" ? "bplist00" : "<?xml"))
        }
        let url = folder.file("other.plist")
        try FileManager.default.copyItem(at: folder.file("a.bplist"), to: url)
        try LocalProvider(file: url).setValue(2, for: "group/integer")
        #expect(try folder.text("other.plist").hasPrefix("bplist00"))
        #expect(LocalProvider(file: url).value(at: "group/integer") == 2)
    }

    @Test("is not touched by a write that changes nothing")
    func unchanged() throws {
        let url = try folder.file("a.json", #"{"x":1}"#)
        let provider = LocalProvider(file: url)
        try provider.setValue(1, for: "x")
        try provider.setValue(nil, for: "y")
        #expect(try folder.text("a.json") == #"{"x":1}"#)
        #expect(try folder.names() == ["a.json"])
    }

    @Test("is written once for all gathered values, at the latest when the provider goes away")
    func gathered() throws {
        let url = folder.file("a.json")
        var provider: LocalProvider? = LocalProvider(file: url, changeDetection: .off, writeDelay: .seconds(3600))
        try provider?.setValue(1, for: "x")
        try provider?.setValue(2, for: "y")
        #expect(provider?.value(at: "x") == 1)
        #expect(try folder.names() == [])
        // What others write meanwhile is kept, but for the same key.
        try LocalProvider(file: url).setValues(["x": 7, "z": 3])
        try provider?.flush()
        #expect(LocalProvider(file: url).document?.root == ["x": 1, "y": 2, "z": 3])
        #expect(provider?.document?.root == ["x": 1, "y": 2, "z": 3])
        try provider?.resetAllData()
        try provider?.setValue(4, for: "w")
        provider = nil
        #expect(LocalProvider(file: url).document?.root == ["w": 4])
    }

    @Test("that cannot take gathered values leaves them in memory, says so, and takes them later")
    func gatheredFailure() throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(file: url, changeDetection: .off, writeDelay: .seconds(3600))
        try provider.setValue(1, for: "x")
        try Data("garbage".utf8).write(to: url)
        let error = try #require(throws: FlagError.self) { try provider.flush() }
        #expect(provider.status != .ready && error.code == .unreadable && provider.value(at: "x") == 1)
        try FileManager.default.removeItem(at: url)
        try provider.flush()
        #expect(provider.status == .ready)
        #expect(try folder.text("a.json") == "{\n  \"x\": 1\n}\n")
    }

    @Test("that was corrected is ready before anybody is told of a value in it")
    func corrected() throws {
        let url = try folder.file("a.json", "{")
        let provider = LocalProvider(file: url, changeDetection: .off)
        let statuses = Mutex<[FlagProviderStatus]>([])
        let observer = FlagProviderObserver { _, _ in statuses.withLock { $0.append(provider.status) } }
        #expect(provider.observe(observer))
        try Data(#"{"x": 1}"#.utf8).write(to: url)
        try provider.reload()
        #expect(statuses.withLock { $0 } == [.ready])
    }

    @Test("that another writer keeps locked is refused after the time limit")
    func busy() throws {
        let url = folder.file("a.json")
        let lock = try #require(HeldLock(of: url))
        defer { lock.release() }
        let error = #expect(throws: FlagError.self) {
            try LocalProvider(file: url, settings: .init(lockTimeLimit: .milliseconds(20))).setValue(1, for: "x")
        }
        #expect(error?.code == .fileBusy)
        #expect(error?.message.contains("other writers kept it locked for 0 seconds") == true)
    }

    @Test("that cannot be read is reported to each loader that has it, when it is made and when the file changes")
    func reportedToLoaders() throws {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: 1) var x: Int
        }
        let url = try folder.file("a.json", #"{ "x": 5, }"#)
        let local = FlagIssueReporter.withReporter(.silent) { LocalProvider(file: url, changeDetection: .off) }
        let recorders = [IssueRecorder(), IssueRecorder()]
        let loaders = recorders.map { FlagsLoader(Flags.self, providers: [local], issueReporter: $0.reporter) }
        for recorder in recorders {
            #expect(recorder.codes == [.unreadableFile])
            #expect(recorder.issues.first?.message.contains("line 1, column 11") == true)
        }
        _ = try folder.file("a.json", #"{ "x": 6 }"#)
        try local.reload()
        #expect(loaders.map(\.x) == [6, 6])
        _ = try folder.file("a.json", #"{ "x": }"#)
        #expect(throws: FlagError.self) { try local.reload() }
        for recorder in recorders { #expect(recorder.codes == [.unreadableFile, .unreadableFile]) }
        #expect(loaders.map(\.x) == [6, 6])
    }

    @Test("in a bundle is read, never written, and a failure where it is missing")
    func readOnly() throws {
        let url = try folder.file("a.json", #"{"group": {"x": 1}}"#)
        let provider = ReadOnlyLocalProvider(file: url)
        #expect(provider.value(at: "group/x") == 1)
        #expect(provider.status == .ready)
        let isWritable = (provider as any FlagProvider) is any WritableFlagProvider
        #expect(!isWritable)
        let absent = ReadOnlyLocalProvider(file: folder.file("b.json"))
        #expect("\(absent.status)".contains("\(folder.file("b.json").path) cannot be read: there is no such file."))
    }
}
