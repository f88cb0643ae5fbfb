import Foundation
import Tackline
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("A document that is not JSON because of one value", .hangLimit) struct BadValueTests {
    @Test("is refused as a whole, and the values stay")
    func refused() async throws {
        let cases: [String] = [
            "1e400", "-1e999", #""\ud800""#, #""x\udfff""#, #"[1, {"x": 1, "x": 2}]"#, #"{"x": {"y": 1, "y": 2}}"#,
            "170141183460469231731687303715884105728", #"{"\ud800": 1}"#, "nan", #""\ud8""#,
            String(repeating: "[", count: 80) + String(repeating: "]", count: 80),
            String(repeating: #"{"d":"#, count: 80) + "1" + String(repeating: "}", count: 80),
        ]
        for value in cases {
            let error = try await expectKept(document(#"{"good": 2, "bad": \#(value)}"#), code: .rejected)
            #expect(error?.message.contains("line 1, column ") == true, "\(value)")
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
