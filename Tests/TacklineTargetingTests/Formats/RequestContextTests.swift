import Foundation
import TacklineCore
import TacklineLocal
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The context of a request", .hangLimit)
struct RequestContextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func providers(_ source: EvaluationContext.Source) async throws -> [any FlagProvider] {
        let format = FlagDocumentFormat.flagd(context: source)
        let url = try #require(URL(string: "https://flags.example.com/flags.json"))
        let remote = RemoteJSONProvider(
            url: url, format: format, configuration: .forTests(ScriptedTransport([.json(definitionsText())])))
        try await remote.refresh()
        return [ReadOnlyLocalProvider(file: try folder.write(definitionsText()), format: format), remote]
    }

    @Test(
        "holds for each of 5,000 requests at once and for nobody else, with a file and with a server", .needsTheMachine)
    func requests() async throws {
        for provider in try await providers(.task(fallback: bob)) {
            let flags = FlagsLoader(UserFlags.self, providers: [provider])
            let wrong = await withTaskGroup(of: Int.self) { group in
                for request in 0..<5_000 {
                    group.addTask {
                        let user = "user-\(request % 50)"
                        return await withEvaluationContext(EvaluationContext(targetingKey: user)) {
                            var wrong = 0
                            for _ in 0..<3 {
                                if flags.owner != user { wrong += 1 }
                                await Task.yield()
                            }
                            if flags.$owner.resolution().variant != user { wrong += 1 }
                            async let child = flags.owner
                            return await child == user ? wrong : wrong + 1
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
            #expect(flags.owner == "user-2", "the fallback, outside of every request")
        }
    }

    @Test("is nobody else's, where flags that depend on it are to be pinned")
    func pinned() async throws {
        struct Pinned: FlagCollectionProtocol {
            @Flag(default: "nobody", updatePolicy: .session, description: "Whose values these are") var owner: String
            @Flag(default: "free", updatePolicy: .session, description: "Not in the document") var other: String
        }
        for provider in try await providers(.task(fallback: EvaluationContext())) {
            let log = IssueRecorder()
            let flags = FlagsLoader(Pinned.self, providers: [provider], issueReporter: log.reporter)
            #expect(flags.owner == "nobody")
            await withTaskGroup(of: Void.self) { group in
                for request in 0..<200 {
                    group.addTask {
                        let user = "user-\(request % 50)"
                        await withEvaluationContext(EvaluationContext(targetingKey: user)) {
                            #expect(flags.owner == user)
                            await Task.yield()
                            #expect(flags.owner == user && flags.other == "free")
                        }
                    }
                }
            }
            #expect(log.codes == [.pinnedPerTask, .pinnedPerTask])
            #expect(flags.$other.explain().providers.map(\.description) == ["\(provider.name): no value"], "no error")
        }
    }

    @Test("whose targeting key is a number is reported, once for a document however many requests have it")
    func numericKey() throws {
        let log = IssueRecorder()
        let file = try folder.write(definitionsText())
        let provider = ReadOnlyLocalProvider(
            file: file, format: .flagd(context: .task(), issueReporter: log.reporter))
        for number in 1...3 {
            withEvaluationContext(EvaluationContext(attributes: ["targetingKey": .integer(Int128(number))])) {
                #expect(provider.value(for: "edition") == 1)
            }
        }
        #expect(log.issues.map(\.code) == [.invalidContext])
        #expect(log.issues.first?.message.contains("its targetingKey is an integer, 1; make a text of it") == true)
        try folder.write(definitionsText(edition: 2))
        try provider.reload()
        withEvaluationContext(EvaluationContext(attributes: ["targetingKey": 4])) {
            #expect(provider.value(for: "edition") == 2)
        }
        #expect(log.issues.count == 2)
    }
}
