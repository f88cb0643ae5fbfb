import Foundation
import Tackline
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

private struct Limits: Codable, FlagValue, Equatable {
    var a: Int
    var b: Double?
}

private struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: 0) var good: Int
    @Flag(default: Limits(a: -1, b: nil)) var limits: Limits
    @Flag(key: .absolute("limits/a"), default: -1) var limitsA: Int
    @Flag(key: .absolute("limits/b"), default: -1) var limitsB: Double
}

@Suite("One bad value in a document", .hangLimit) struct BadValueTests {
    /// Values that are JSON, and that nothing can hold or that are ambiguous.
    static let bad = [
        "1e400", "-1e999", #""\ud800""#, #""x\udfff""#, #"[1, {"x": 1, "x": 2}]"#, #"{"x": {"y": 1, "y": 2}}"#,
        "170141183460469231731687303715884105728", #"{"\ud800": 1}"#,
        String(repeating: "[", count: 80) + String(repeating: "]", count: 80),
        String(repeating: #"{"d":"#, count: 80) + "1" + String(repeating: "}", count: 80),
    ]

    private func refresh(_ documents: String...) async throws -> (RemoteJSONProvider, IssueRecorder) {
        let server = try LoopbackServer(replies: documents.map { document($0, tag: nil) })
        let issues = IssueRecorder()
        let provider = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: .forTests())
        }
        for _ in documents { try await provider.refresh() }
        return (provider, issues)
    }

    @Test("costs that flag, which is reported by its key, and no other")
    func top() async throws {
        for value in Self.bad {
            let (provider, issues) = try await refresh(
                #"{"good": 1, "bad": 3}"#, #"{"good": 2, "bad": \#(value), "other": true}"#)
            #expect(provider.value(for: "good") == 2, "\(value)")
            #expect(provider.value(for: "other") == true, "\(value)")
            #expect(provider.value(for: "bad") == nil, "\(value)")
            #expect(issues.codes == [.init("unreadable-value")], "\(value)")
            let key = try #require(issues.issues.first?.key?.text)
            #expect(key.hasPrefix("bad"), "\(value)")
            #expect(issues.issues.first?.message.contains("line 1") == true, "\(value)")
        }
    }

    @Test("in a group costs that flag and those whose value holds it, and not its neighbours")
    func group() async throws {
        for value in Self.bad {
            let (provider, issues) = try await refresh(
                #"{"good": 1, "limits": {"a": 1, "b": 0.5}}"#, #"{"good": 1, "limits": {"a": 2, "b": \#(value)}}"#)
            let flags = FlagsLoader(ShopFlags.self, providers: [provider], issueReporter: .silent)
            #expect(flags.limitsA == 2, "\(value)")
            #expect(flags.limitsB == -1, "\(value)")
            #expect(flags.limits == Limits(a: -1, b: nil), "\(value)")
            #expect(provider.value(for: FlagKeyPath(components: ["limits"])) == nil, "\(value)")
            #expect(issues.codes == [.init("unreadable-value")], "\(value)")
        }
    }

    @Test("under a flat key costs the whole value, with any separator")
    func flat() async throws {
        let cases: [String] = ["/", ".", "-"]
        for separator in cases {
            let name = "ui\(separator)theme"
            let (provider, _) = try await refresh(
                #"{"good": 1, "\#(name)": {"dark": true, "accent": 1e400}, "deep": {"in": {"x": 1, "y": 1e400}}}"#)
            #expect(
                provider.value(for: FlagKeyPath(components: ["ui", "theme"], separator: separator)) == nil,
                "\(separator)")
            #expect(
                provider.value(for: FlagKeyPath(components: ["deep", "in"], separator: separator)) == nil,
                "\(separator)")
            #expect(
                provider.value(for: FlagKeyPath(components: ["deep", "in", "x"], separator: separator)) == 1,
                "\(separator)")
        }
    }

    @Test("is announced, so that a loader has no value of before, and is no issue any more when it is good again")
    func announced() async throws {
        let server = try LoopbackServer(replies: [
            document(#"{"limits": {"a": 1, "b": 0.5}, "good": 1}"#, tag: nil),
            document(#"{"limits": {"a": 1, "b": 1e400}, "good": 1}"#, tag: nil),
            document(#"{"limits": {"a": 1, "b": 0.25}, "good": 1}"#, tag: nil),
            document(#"{"limits": {"a": 1, "b": 1e400}, "good": 1}"#, tag: nil),
        ])
        let issues = IssueRecorder()
        let provider = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: .forTests())
        }
        let flags = FlagsLoader(ShopFlags.self, providers: [provider], issueReporter: .silent)
        try await provider.refresh()
        #expect(flags.limits == Limits(a: 1, b: 0.5) && flags.limitsB == 0.5)
        try await provider.refresh()
        #expect(flags.limits == Limits(a: -1, b: nil) && flags.limitsB == -1 && flags.limitsA == 1)
        #expect(issues.codes.count == 1)
        try await provider.refresh()
        #expect(flags.limits == Limits(a: 1, b: 0.25) && flags.limitsB == 0.25)
        try await provider.refresh()
        #expect(issues.codes.count == 2)
    }

    @Test("is left out of what a later launch has from the cache, too, and reported there")
    func cached() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(replies: [document(#"{"good": 2, "bad": 1e400}"#)])
        let configuration = RemoteJSONConfiguration.forTests { $0.cache = .directory(folder.url) }
        try await RemoteJSONProvider(url: server.url, configuration: configuration).refresh()
        let issues = IssueRecorder()
        let next = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: configuration)
        }
        #expect(next.value(for: "good") == 2 && next.value(for: "bad") == nil)
        #expect(issues.codes == [.init("unreadable-value")])
    }

    @Test("refuses the document where it is not known what is meant, or nothing would be left")
    func refused() async throws {
        let cases: [String] = [
            #"{"a": 1, "good": 2, "a": 3}"#, #"{"good": 2, "$version": 1e400}"#, #"{"good": 2, "bad": nan}"#,
            #"{"bad": 1e400}"#, #"{"g": {"bad": 1e400}}"#, #"{"good": 2, "bad": "\ud8"}"#,
            "{" + (0...100).map { "\"k\($0)\": 1e400" }.joined(separator: ", ") + ", \"good\": 2}",
        ]
        for text in cases {
            try await expectKept(document(text), code: .rejected)
        }
    }

    @Test("A rejected document is reported once, until there is a good one")
    func rejected() async throws {
        let server = try LoopbackServer(replies: [good(), document("{"), document("{"), good(2), document("{")])
        let issues = IssueRecorder()
        let provider = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: server.url, configuration: .forTests())
        }
        for _ in 1...3 { _ = try? await provider.refresh() }
        #expect(issues.codes == [.init("rejected-document")])
        for _ in 1...2 { _ = try? await provider.refresh() }
        #expect(issues.codes == [.init("rejected-document"), .init("rejected-document")])
    }
}
