import Foundation
import Synchronization
import Tackline
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: false) var enabled: Bool
    @Flag(default: 3) var small: UInt8
    @Flag(default: "set") var optional: String?
}

private enum First {
    struct Shared: FlagCollectionProtocol { @Flag(key: .absolute("first"), default: 1) var number: Int }
}

private enum Second {
    struct Shared: FlagCollectionProtocol { @Flag(key: .absolute("second"), default: 2) var number: Int }
}

/// Fails every write after having seen it.
private final class FullDisk: WritableFlagProvider {
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        throw FlagError(.inputOutput, provider: name, key: key, value: value, reason: "the disk is full")
    }
}

/// One test for each fault that was seen in a peer.
@Suite("A known fault of the field is not ours:", .hangLimit)
struct KnownFaultsTests {
    @Test("a flag that is read without its loader does not crash; it gives its default and reports it")
    func readWithoutLoader() {
        let issues = Mutex<[FlagError.Code]>([])
        let reporter = FlagIssueReporter { issue in issues.withLock { $0.append(issue.code) } }
        var loader: FlagsLoader<Flags>? = FlagsLoader(Flags.self, providers: [MemoryProvider(values: ["small": 9])])
        let copy = loader?.flags
        #expect(copy?.small == 9)
        loader = nil
        FlagIssueReporter.withReporter(reporter) {
            #expect(Flags().small == 3)
            #expect(copy?.small == 3)
        }
        #expect(issues.withLock { $0 } == [.unboundFlag, .loaderGone])
    }

    @Test("a write that fails is not swallowed, and nothing has changed")
    func failedWrite() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "missing/folder/flags.json")
        let local = LocalProvider(file: file)
        let flags = FlagsLoader(Flags.self, providers: [FullDisk(), local])
        #expect(throws: FlagError.self) { try flags.$small.setValue(5) }
        #expect(flags.small == 3)
    }

    @Test("a file that cannot be read is not taken for an empty one, nor overwritten")
    func unreadableFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "flags.json")
        let text = #"{ "small": 7, "keep": "me" "#
        try text.write(to: file, atomically: true, encoding: .utf8)
        let local = LocalProvider(file: file)
        let flags = FlagsLoader(Flags.self, providers: [local])
        #expect(flags.small == 3)
        guard case .failed(let error) = local.status else {
            Issue.record("The status is \(local.status).")
            return
        }
        #expect("\(error)".contains("line 1"))
        #expect(throws: FlagError.self) { try flags.$small.setValue(5) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("a number that is too big for a flag does not trap; the next provider is asked")
    func narrowInteger() {
        let flags = FlagsLoader(
            Flags.self,
            providers: [
                MemoryProvider(name: "server", values: ["small": 300]),
                MemoryProvider(name: "file", values: ["small": 8]),
            ],
            issueReporter: .silent)
        #expect(flags.small == 8)
    }

    @Test("an optional that cannot be decoded does not win as nil; the next provider is asked")
    func undecodableOptional() {
        let flags = FlagsLoader(
            Flags.self,
            providers: [
                MemoryProvider(name: "server", values: ["optional": 5]),
                MemoryProvider(name: "file", values: ["optional": "text"]),
            ],
            issueReporter: .silent)
        #expect(flags.optional == "text")
    }

    @Test("two providers of one type are told apart")
    func providerIdentity() throws {
        let first = MemoryProvider()
        let second = MemoryProvider()
        let flags = FlagsLoader(Flags.self, providers: [first, second])
        try flags.$small.setValue(9, in: second)
        #expect(first.value(at: "small") == nil && second.value(at: "small") == 9)
        #expect(flags.root.allFlags[0].explain().providers.map(\.provider) == ["MemoryProvider", "MemoryProvider 2"])
    }

    @Test("two collections of one simple name do not overwrite each other")
    func sameSimpleName() {
        let manager = FlagsManager(providers: [MemoryProvider(values: ["first": 10, "second": 20])])
        manager.addCollection(First.Shared.self)
        manager.addCollection(Second.Shared.self)
        #expect(manager.loader(for: First.Shared.self)?.number == 10)
        #expect(manager.loader(for: Second.Shared.self)?.number == 20)
    }

    @Test("notices come in the order of the changes, and each of two consumers gets all of them")
    func notices() async {
        let memory = MemoryProvider()
        let first = FlagProviderObserver.makeStream()
        let second = FlagProviderObserver.makeStream()
        #expect(memory.observe(first.observer) && memory.observe(second.observer))
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 1...250 { memory.setValue(.integer(Int128(writer * 1000 + number)), for: "small") }
                }
            }
        }
        let last = memory.value(at: "small")
        for notices in [first.notices, second.notices] {
            var previous: EncodedFlagValue?
            var iterator = notices.makeAsyncIterator()
            for _ in 0..<1000 {
                guard case .changed(let changes)? = await iterator.next() else { break }
                #expect(changes.map(\.old) == [previous])
                previous = changes.last?.new
            }
            #expect(previous == last)
        }
        withExtendedLifetime((first.observer, second.observer)) {}
    }

    @Test("a key that the server does not have does not answer false; later providers are asked")
    func missingRemoteKey() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{ "other": 1 }"#)
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        let remote = RemoteJSONProvider(url: server.url(path: "/flags.json"), configuration: configuration)
        _ = try await remote.refresh()
        let flags = FlagsLoader(Flags.self, providers: [remote, MemoryProvider(values: ["enabled": true])])
        #expect(flags.enabled)
        #expect(flags.$enabled.flagValue(from: remote) == nil)
    }
}
