import Foundation
import Tackline
import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("A configuration that can't be meant", .hangLimit) struct ConfigurationProblemTests {
    private func problems(
        _ url: String = "https://flags.example/f", _ change: (inout RemoteJSONProvider.Configuration) -> Void
    ) throws -> [FlagError] {
        let issues = IssueRecorder()
        let address = try #require(URL(string: url))
        _ = FlagIssueReporter.withReporter(issues.reporter) {
            RemoteJSONProvider(url: address, name: "remote", configuration: .forTests(change))
        }
        return issues.issues
    }

    @Test("is reported as one issue when the provider is made, with what happens instead")
    func reported() throws {
        let issues = try problems("ftp://flags.example/f") {
            $0.pollInterval = .seconds(5)
            $0.streamURL = URL(filePath: "/events")
            $0.headers = ["X-Team": "shop", "X Team": "1", "X-Line": "a\r\nX-Other: b", "If-None-Match": "\"1\""]
        }
        #expect(issues.map(\.code) == [.init("remote-configuration")])
        #expect(
            issues.first?.message == """
                The configuration of provider "remote" needs a correction: \
                the URL has to be one of http or https with a host, so every request fails; \
                the stream's URL has to be one of http or https with a host, so there is no stream; \
                a poll interval of 5 seconds is too short, so it is 30 seconds; \
                the header field "If-None-Match" is not sent, because the provider sets it itself; \
                the header field "X Team" is not sent, because its name has characters that no name may have; \
                the header field "X-Line" is not sent, because its value has a line break or another control character. \
                Correct it where the provider is created.
                """)
    }

    @Test("sends no header field that is refused")
    func headers() async throws {
        let server = try LoopbackServer(replies: [good()])
        let provider = FlagIssueReporter.withReporter(.silent) {
            RemoteJSONProvider(
                url: server.url,
                configuration: .forTests {
                    $0.headers = ["X-Team": "shop", "X-Line": "a\r\nX-Other: b", "If-None-Match": "\"1\""]
                })
        }
        try await provider.refresh()
        let request = try #require(server.requests.first)
        #expect(request.headerValue("X-Team") == "shop")
        for name in ["X-Line", "X-Other", "If-None-Match"] { #expect(request.headerValue(name) == nil) }
    }
}
