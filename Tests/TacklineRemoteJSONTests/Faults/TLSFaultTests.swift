import Foundation
import TacklineLoopback
import TacklineTestSupport
import Testing

@Suite(
    "Faults of TLS",
    .enabled(
        if: TLSServer.executable != nil && Probe.executable != nil,
        "openssl or RemoteJSONProbe was not found; on Debian: apt-get install openssl"),
    .needsTheMachine
)
struct TLSFaultTests {
    private let good = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"a\": 1}"

    private func redirect(to target: URL) -> String {
        "HTTP/1.1 302 Found\r\nLocation: \(target.absoluteString)\r\nContent-Length: 0\r\n\r\n"
    }

    /// What a process prints that asks, with a file of certificates to trust.
    private func fetch(_ path: String, _ server: TLSServer, _ certificates: String) async throws -> String {
        try await Probe.output(["fetch", "https://127.0.0.1:\(server.port)/\(path)", certificates])
    }

    #if canImport(FoundationNetworking)
        @Test("18: a redirect from https to http is refused, and nothing is asked for there")
        func downgrade() async throws {
            let plain = try LoopbackServer(replies: [TacklineRemoteJSONTests.good()])
            let server = try await TLSServer(answers: ["flags.json": good, "old.json": redirect(to: plain.url)])
            // So that it is not the connection that fails.
            #expect(try await fetch("flags.json", server, server.certificate.path) == "accepted [\"a\"]")
            let output = try await fetch("old.json", server, server.certificate.path)
            #expect(output.contains("from https to http"), "\(output)")
            #expect(plain.requests.isEmpty)
        }
    #endif

    @Test("36: a certificate that nobody vouches for is a failure")
    func untrusted() async throws {
        let server = try await TLSServer(answers: ["flags.json": good])
        let output = try await fetch("flags.json", server, "")
        #expect(output.hasPrefix("failed: ") && output.contains("certificate"), "\(output)")
    }
}
