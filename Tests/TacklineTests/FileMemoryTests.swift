#if os(Linux)
    import CAllocationCounter
    import Foundation
    import TacklineCore
    import TacklineLocal
    import TacklineOFREP
    import TacklineRemoteJSON
    import TacklineTargeting
    import TacklineTestSupport
    import Testing

    @Suite("The memory of a file provider", .hangLimit)
    struct FileMemoryTests {
        /// A document in which every flag has a rule.
        private static func rules(_ count: Int) -> Data {
            let rule =
                #"{"if": [{"in": [{"var": "plan"}, ["free", "pro"]]}, "on", {"ends_with": [{"var": "email"}, "@b.com"]}, "on"]}"#
            let flags = (0..<count).map { number in
                """
                "flag-\(number)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", \
                "targeting": \(rule)}
                """
            }
            return Data(#"{"flags": {\#(flags.joined(separator: ",\n"))}}"#.utf8)
        }

        /// Returns an object and the bytes of the heap that it keeps.
        private static func kept<Kept>(_ make: () throws -> Kept) rethrows -> (Kept, Double) {
            let before = tackline_heap_bytes_in_use()
            let kept = try make()
            return (kept, Double(tackline_heap_bytes_in_use() - before))
        }

        @Test("with rules is little more than that of its definitions: neither text nor document is kept")
        func rules() async {
            // A process of its own, in which nothing else takes memory.
            await #expect(processExitsWith: .success) {
                let count = 1000
                let folder = try TemporaryFolder()
                let json = Self.rules(count)
                let file = folder.file("rules.json")
                try json.write(to: file)
                // What is made once in a process.
                _ = ReadOnlyLocalProvider(file: file, format: .flagd)
                let (definitions, floor) = try Self.kept { try FlagDefinitions(json: json) }
                let (provider, bytes) = Self.kept { ReadOnlyLocalProvider(file: file, format: .flagd) }
                let figures =
                    "definitions \(floor / Double(json.count)), provider \(bytes / Double(json.count)) × the text"
                try #require(definitions.flags.count == count && provider.value(for: "flag-1") == false)
                #expect(bytes < 1.3 * floor, "\(figures)")
            }
        }

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
