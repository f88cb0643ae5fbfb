import Foundation
import TacklineCore
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite(
    "Against nginx",
    .enabled(if: Nginx.executable != nil, "nginx is not installed; on Debian: apt-get install nginx-light"),
    .overEachTransport,
    .needsTheMachine
)
struct NginxTests {
    private func provider(_ url: URL) -> RemoteJSONProvider {
        RemoteJSONProvider(url: url, configuration: .forTests())
    }

    @Test("a document is fetched, confirmed by its tag, missed during a deploy, and fetched anew")
    func deploy() async throws {
        let nginx = try await Nginx.start()
        try nginx.write(Data(#"{"a": 1}"#.utf8), to: "flags.json")
        let provider = provider(try nginx.url("flags.json"))
        var events = Events(provider)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(try await provider.refresh() == .unchanged)

        try nginx.remove("flags.json")
        await #expect { try await provider.refresh() } throws: { ($0 as? FlagError)?.code == "misconfigured" }
        #expect(provider.state.lastError?.code == "misconfigured")
        #expect(provider.value(for: "a") == .integer(1))

        try nginx.write(Data(#"{"a": 1, "b": true}"#.utf8), to: "flags.json")
        #expect(try await provider.refresh() == .changed(["b"]))
        #expect(provider.status == .ready)
        let change = try await events.first { if case .changed = $0 { true } else { false } }
        guard case .changed(_, let revision?, _) = change else {
            Issue.record("the change has no revision: \(change)")
            return
        }
        #expect(revision.hasPrefix("\""), "\(revision)")
    }

    @Test("a redirect is followed, and the tag of the document behind it is sent")
    func redirect() async throws {
        let nginx = try await Nginx.start()
        try nginx.write(Data(#"{"a": 1}"#.utf8), to: "flags.json")
        let provider = provider(try nginx.url("old.json"))
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(try await provider.refresh() == .unchanged)
    }

    @Test("a compressed document is decoded")
    func gzip() async throws {
        let nginx = try await Nginx.start()
        let text = #"{"a": "\#(String(repeating: "x", count: 1000))"}"#
        try nginx.write(storedGzip(Data(text.utf8)), to: "zipped")
        let provider = provider(try nginx.url("zipped"))
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(try await provider.refresh() == .unchanged)
    }
}
