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

    @Test("36: a certificate that nobody vouches for is a failure")
    func untrusted() async throws {
        let server = try await TLSServer(answers: ["flags.json": good])
        let output = try await Probe.output(["fetch", "https://127.0.0.1:\(server.port)/flags.json"])
        #expect(output.hasPrefix("failed: ") && output.contains("certificate"), "\(output)")
    }
}
