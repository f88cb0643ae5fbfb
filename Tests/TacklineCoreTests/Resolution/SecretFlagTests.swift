import Synchronization
import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: "d3fault", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
    @Flag(default: 0, updatePolicy: .session, description: FlagMetadata(description: "A pin", tags: ["secret"]))
    var pin: Int
    @Flag(default: 1, description: "A number") var open: Int
}

private struct DerivedFlags: FlagCollectionProtocol {
    @Flag(default: "d3fault", description: FlagMetadata(tags: ["secret"])) var token: String
    @Flag(default: "", computed: { (flags: DerivedFlags) in flags.open ? flags.token + "!" : nil }) var header: String
    @Flag(default: "", computed: { (flags: DerivedFlags) in flags.header }) var request: String
    @Flag(default: true) var open: Bool
    @Flag(default: 0) var number: Int
}

@Suite("The value of a secret flag", .hangLimit)
struct SecretFlagTests {
    private func expectNoSecret(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in ["s3cret", "d3fault", "4711471147114711", "4712471247124712"] {
            #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test("is in no issue and no error where its type refuses it")
    func refused() throws {
        let issues = IssueRecorder()
        let memory = MemoryProvider(values: ["token": 4711471147114711, "pin": "s3cret"])
        let flags = FlagsLoader(SecretFlags.self, providers: [memory], issueReporter: issues.reporter)
        #expect(flags.token == "d3fault" && flags.pin == 0)
        #expect(issues.codes == [.refusedValue, .refusedValue])
        for issue in issues.issues {
            expectNoSecret("\(issue) \(String(reflecting: issue))")
            #expect("\(issue)".contains("a secret"))
        }
        expectNoSecret("\(flags.$token.explain()) \(flags.$pin.explain()) \(flags.$pin.explain().steps)")
        let pin = try #require(flags.flag(at: "pin"))
        #expect { try pin.setValue("s3cret") } throws: { error in
            expectNoSecret("\(error) \(String(reflecting: error))")
            return error is FlagError
        }
    }

    @Test("is in nothing that print, dump or a mirror shows of a loader, its flags and what they answer")
    func dumps() async throws {
        let memory = MemoryProvider(values: ["token": "s3cret", "pin": 4711471147114711])
        let observer = ResolutionList()
        let flags = FlagsLoader(SecretFlags.self, providers: [memory], observers: [observer])
        let before = flags.snapshot()
        var iterator = flags.changes.makeAsyncIterator()
        var typed = flags.$token.changes.makeAsyncIterator()
        #expect(flags.token == "s3cret" && flags.pin == 4711471147114711)
        memory.setValue("s3cret too", for: "token")
        let failed = FlagEvaluation(value: "s3cret", reason: .error, errorMessage: "s3cret is not a token")
        var shown: [Any] = [
            flags, flags.$token, flags.$pin, flags.root.allFlags, flags.$token.explain(), flags.$token.explain().steps,
            flags.$token.resolution(), before, flags.snapshot().difference(from: before), memory,
            FlagsManager(providers: [memory]), try #require(await iterator.next(isolation: #isolation)),
            try #require(await typed.next(isolation: #isolation)),
            observer.flags.withLock { $0 }, SecretFlags(),
            FlagResolution(
                key: "token", value: "s3cret", source: .default, evaluation: failed, metadata: flags.$token.metadata),
        ]
        memory.setValue(4711471147114711, for: "token")
        _ = flags.token
        shown += [flags.$token.explain(), flags.$token.resolution(from: memory)]
        do { try flags.flag(at: "pin")?.setValue("s3cret") } catch { shown.append(error) }
        let resolved = observer.flags.withLock { $0 }
        #expect(!resolved.isEmpty)
        for value in shown { expectNoSecret(everyText(of: value)) }
        #expect("\(flags.$token)".contains("a secret") && "\(flags.$pin.explain())".contains("a secret since"))
        // What is not secret is shown.
        #expect(everyText(of: flags.$open.explain()).contains("= 1"))
    }
}

@Suite("A flag that is made of a secret one", .hangLimit)
struct DerivedSecretTests {
    @Test("is secret as well, in explanations, resolutions, snapshots, changes, for observers, while it is made of it")
    func computed() async throws {
        let observer = ResolutionList()
        let memory = MemoryProvider(values: ["token": "s3cret"])
        let flags = FlagsLoader(DerivedFlags.self, providers: [memory], observers: [observer])
        // The second time the value of the token is at hand.
        for _ in 0..<2 { #expect(flags.token == "s3cret" && flags.header == "s3cret!" && flags.request == "s3cret!") }
        let snapshot = flags.snapshot()
        let keys: [FlagKeyPath] = ["header", "request"]
        for (handle, key) in zip([flags.$header, flags.$request], keys) {
            let untyped = try #require(flags.flag(at: key))
            let shown: [Any] = [handle, untyped, handle.explain(), untyped.explain(), handle.resolution(), snapshot]
            for value in shown { #expect(!everyText(of: value).contains("s3cret")) }
            #expect(handle.resolution().metadata.isSecret && handle.explain().metadata.isSecret)
            #expect(snapshot.entries[key]?.isSecret == true)
        }
        #expect(observer.flags.withLock { $0.map(\.metadata.isSecret) } == [true, false, true, true])
        var changes = flags.$header.changes.makeAsyncIterator()
        memory.setValue(false, for: "open")
        #expect(await changes.next(isolation: #isolation)?.description == "header: a secret → a secret (default)")
        #expect(!flags.$header.resolution().metadata.isSecret && flags.snapshot().entries["header"]?.isSecret == false)
    }

    @Test("is in no issue where its type refuses what a provider made of it")
    func provider() {
        let issues = IssueRecorder()
        let source = FlagsLoader(SecretFlags.self, providers: [MemoryProvider(values: ["token": "s3cret"])])
        let reading = ClosureProvider(name: "reading") { $0 == "number" ? .string(source.token) : nil }
        let flags = FlagsLoader(DerivedFlags.self, providers: [reading], issueReporter: issues.reporter)
        #expect(flags.number == 0 && issues.codes == [.refusedValue])
        #expect(!everyText(of: issues.issues).contains("s3cret"))
        #expect(!everyText(of: flags.$number.explain()).contains("s3cret"))
    }
}

private final class ResolutionList: FlagResolutionObserver {
    let flags = Mutex<[FlagResolution<EncodedFlagValue>]>([])
    func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) { flags.withLock { $0.append(flag) } }
}
