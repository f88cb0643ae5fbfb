import CHeapFigures
import Foundation
import TacklineOFREP
import TacklineRemoteJSON
import TacklineTargeting

/// Evaluates ten flags for a thousand contexts, and prints how many bytes of the heap a context takes.
struct Contexts {
    func run() async throws {
        let flags = (0..<10).map { #"{"key": "flag_\#($0)", "value": true, "reason": "SPLIT", "variant": "on"}"# }
        let body = "{\"flags\": [\(flags.joined(separator: ","))]}"
        var configuration = OFREPProvider.Configuration()
        configuration.requests.transport = StubTransport { _ in
            HTTPTransportResponse(json: body, headers: ["ETag": "\"1\""])
        }
        guard let url = URL(string: "https://flags.example") else { throw CocoaError(.formatting) }
        let provider = try OFREPServerProvider(baseURL: url, maximumContexts: 2000, configuration: configuration)
        func evaluate(_ numbers: Range<Int>) async {
            for number in numbers {
                await provider.withEvaluation(for: EvaluationContext(targetingKey: "user-\(number)")) {}
            }
        }
        await evaluate(0..<100)
        let before = tackline_heap_bytes_in_use()
        await evaluate(100..<1100)
        print("bytes \((tackline_heap_bytes_in_use() - before) / 1000)")
        withExtendedLifetime(provider) {}
    }
}
