#if os(Linux)
    import CAllocationCounter
    import Foundation
    import TacklineCore
    import TacklineLocal
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
    }
#endif
