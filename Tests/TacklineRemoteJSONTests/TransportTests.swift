import Foundation
import Synchronization
import TacklineCore
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineRemoteJSON

@Suite("Transports", .hangLimit) struct TransportTests {
    @Test("A redirect is the answer of a transport, with its fields", .overEachTransport)
    func redirect() async throws {
        let fields = [LoopbackHeader("Location", "/flags.json"), LoopbackHeader("Set-Cookie", "a=1; HttpOnly")]
        let server = try LoopbackServer { request in
            request.path == "/" ? .response(LoopbackResponse(status: 303, headers: fields)) : good()
        }
        let answer = try await TestTransport.make().response(to: HTTPTransportRequest(url: server.url))
        #expect(answer.status == 303 && answer.header("set-cookie") == "a=1; HttpOnly")
        #expect(server.requests.map(\.path) == ["/"])
    }

    #if canImport(FoundationNetworking)
        @Test("libcurl keeps a connection and uses it again")
        func keptConnection() async throws {
            let server = try LoopbackServer { request in
                var response = LoopbackResponse.text(request.headerValue("X-Number") ?? "")
                response.keepsConnection = true
                return .response(response)
            }
            let transport = CurlTransport()
            for number in 1...20 {
                let response = try await transport.response(
                    to: HTTPTransportRequest(
                        url: server.url, headers: ["X-Number": "\(number)"]))
                var body = Data()
                for try await chunk in response.body { body += chunk }
                #expect(String(decoding: body, as: UTF8.self) == "\(number)")
            }
            #expect(server.connectionCount == 1)
        }

        @Test("libcurl ends a request that is cancelled, while others on its thread go on")
        func cancelled() async throws {
            let (closed, gate) = (LoopbackGate(), LoopbackGate())
            let server = try LoopbackServer { request in
                request.path == "/other"
                    ? .script([.waitUntil(gate), .head(status: 204)]) : .script([.waitForClientToClose, .open(closed)])
            }
            let transport = CurlTransport()
            let task = Task { try await transport.response(to: HTTPTransportRequest(url: server.url)) }
            async let other = transport.response(to: HTTPTransportRequest(url: server.url(path: "other")))
            try await server.waitForRequests(count: 2)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await closed.wait()
            gate.open()
            #expect(try await other.status == 204)
        }
    #endif
}
