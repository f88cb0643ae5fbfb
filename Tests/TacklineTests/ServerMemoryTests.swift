#if os(Linux)
    import CAllocationCounter
    import Foundation
    import TacklineCore
    import TacklineOFREP
    import TacklineRemoteJSON
    import TacklineTargeting
    import TacklineTestSupport
    import Testing

    @Suite("The memory", .hangLimit)
    struct ServerMemoryTests {
        @Test("of a server's provider for many contexts is at most 20 kB for each with ten flags")
        func contexts() async {
            await #expect(processExitsWith: .success) {
                let flags = (0..<10).map { #"{"key": "f\#($0)", "value": true, "reason": "SPLIT", "variant": "on"}"# }
                let body = "{\"flags\": [\(flags.joined(separator: ","))]}"
                var configuration = OFREPProvider.Configuration()
                configuration.requests.transport = StubTransport { _ in
                    HTTPTransportResponse(json: body, headers: ["ETag": "\"1\""])
                }
                let url = try #require(URL(string: "https://flags.example"))
                let provider = try OFREPServerProvider(
                    baseURL: url, maximumContexts: 2000, configuration: configuration)
                func evaluate(_ numbers: Range<Int>) async {
                    for number in numbers {
                        await provider.withEvaluation(for: EvaluationContext(targetingKey: "user-\(number)")) {}
                    }
                }
                await evaluate(0..<100)
                let before = tackline_heap_bytes_in_use()
                await evaluate(100..<1100)
                let bytes = (tackline_heap_bytes_in_use() - before) / 1000
                #expect(bytes < 20_000, "\(bytes)")
                withExtendedLifetime(provider) {}
            }
        }
    }
#endif
