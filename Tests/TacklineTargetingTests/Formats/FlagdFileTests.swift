import Foundation
import TacklineCore
import TacklineFiles
import TacklineLocal
import TacklineOverrides
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A file of definitions", .hangLimit)
struct FlagdFileTests {
    private let folder: TemporaryFolder
    private let context = CurrentContext(ada)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func provider(_ text: String, issues: FlagIssueReporter = .silent) throws -> ReadOnlyLocalProvider {
        ReadOnlyLocalProvider(
            file: try folder.write(text), format: .flagd(context: .current(context), issueReporter: issues))
    }

    @Test("gives the values of its rules, with variant, reason and metadata")
    func values() throws {
        let provider = try provider(definitionsText())
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        #expect(provider.status == .ready)
        #expect(flags.owner == "user-1" && flags.reservations && flags.edition == 1)
        let resolution = flags.$reservations.resolution()
        #expect(resolution.variant == "on" && resolution.reason == .targetingMatch)
        #expect(resolution.evaluation?.metadata == ["flagSetId": "tests"])
        #expect(provider.document?.value(for: "owner") == "user-1")
        #expect(provider.value(for: "$version") == nil && provider.value(for: "flags/owner") == nil)
    }

    @Test("keeps its good flags when one is bad, which is reported once with its name and place")
    func badFlag() throws {
        let log = IssueRecorder()
        let bad = #""bad": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"iff": []}},"#
        let provider = try provider(definitionsText(more: bad), issues: log.reporter)
        #expect(provider.status == .ready)
        #expect(provider.value(for: "owner") == "user-1")
        #expect(provider.value(for: "bad") == nil)
        #expect(provider.evaluation(for: "bad").errorCode == .parseError)
        context.set(bob)
        #expect(log.issues.map(\.code) == [.invalidDefinition])
        #expect(log.issues.first?.key == "bad" && log.issues.first?.provider == "ReadOnlyLocalProvider")
        #expect(log.issues.first?.message.contains("/flags/bad/targeting/iff (line 4, column 79): ") == true)
    }

    @Test("is rejected as a whole when it holds no definitions, and what was in force stays")
    func rejected() throws {
        let cases: [String] = [#"{"owner": "somebody"}"#, #"{"flags": 5}"#, "[]", "{", ""]
        for text in cases {
            context.set(ada)
            let provider = try provider(definitionsText())
            try folder.write(text)
            let error = #expect(throws: FlagError.self) { try provider.reload() }
            #expect(error?.code == .unreadable, "\(text)")
            #expect(error.map { .failed($0) } == provider.status, "\(text)")
            #expect(provider.value(for: "owner") == "user-1", "\(text)")
            context.set(bob)
            #expect(provider.value(for: "owner") == "user-2", "\(text)")
            try folder.write(definitionsText(edition: 2))
            try provider.reload()
            #expect(provider.status == .ready && provider.value(for: "edition") == 2, "\(text)")
        }
    }

    @Test("withdraws its flags when it is removed, where a file may be missing")
    func removed() throws {
        let file = try folder.write(definitionsText())
        let provider = LocalProvider(file: file, format: .flagd(context: .current(context)), changeDetection: .off)
        #expect(provider.value(for: "owner") == "user-1")
        try FileManager.default.removeItem(at: file)
        try provider.reload()
        #expect(provider.value(for: "owner") == nil && provider.status == .ready)
    }

    @Test("is never written, also by a provider that could write values")
    func written() throws {
        let file = try folder.write(definitionsText())
        let provider = LocalProvider(file: file, format: .flagd(context: .current(context)))
        #expect(provider.value(for: "owner") == "user-1")
        let error = #expect(throws: FlagError.self) { try provider.setValue("somebody", for: "owner") }
        #expect(error?.code == .readOnly)
        #expect(try String(contentsOf: file, encoding: .utf8) == definitionsText())
    }

    @Test("keeps the rules of providers")
    func conformance() async throws {
        let folder = folder
        let suite = FlagProviderConformance(holding: ["reservations": true, "edition": 1]) {
            ReadOnlyLocalProvider(
                file: try folder.write(definitionsText()), format: .flagd(context: .current(CurrentContext(ada))))
        }
        await suite.expectConformance()
    }
}
