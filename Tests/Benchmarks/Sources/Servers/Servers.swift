#if Servers
    import Foundation
    import Hummingbird
    import Logging
    import Tackline
    import TacklineTargeting

    /// What reads of rules add to the requests of a server: Hummingbird with real HTTP on the loopback interface, and
    /// clients in the same process that keep their connections, whose time does not count.
    ///
    /// A request names its user. The handlers with rules read flags of a document of 100 rules in the context of that
    /// user, and the one without rules answers at once.
    @main
    struct Servers {
        private static let bars: [(reads: Int, ratio: Double)] = [(1, 1.05), (10, 1.2), (100, 2.5)]

        static func main() async throws {
            let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 60
            let server = Server(reads: bars.map(\.reads))
            let port = try await server.start()
            let load = Load(port: port)
            var times: [Int: [Double]] = [:]
            for round in 0...rounds {
                for reads in [0] + bars.map(\.reads) {
                    let time = load.time(of: "/\(reads)", requests: 500)
                    // The first round warms up.
                    if round > 0 { times[reads, default: []].append(time) }
                }
            }
            let plain = median(times[0] ?? [])
            print(
                "A request without rules: \(String(format: "%.1f", plain)) µs of processor time, \(load.connections) connections"
            )
            for bar in bars {
                // Of each round, so that what slows the machine for a while slows both.
                let ratio = median(zip(times[bar.reads] ?? [], times[0] ?? []).map { $0 / $1 })
                let verdict = ratio <= bar.ratio ? "met" : "MISSED"
                print(String(format: "  with %3d reads: %.3f ×, ≤ %.2f ", bar.reads, ratio, bar.ratio) + verdict)
            }
        }

        private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    }

    /// A server with a handler for each number of reads.
    private struct Server {
        private struct Flags: FlagCollectionProtocol {
            @Flag(key: "flag-0", default: false) var split: Bool
            @Flag(key: "flag-1", default: false) var country: Bool
            @Flag(key: "flag-2", default: false) var plan: Bool
            @Flag(key: "flag-3", default: false) var email: Bool
        }

        let reads: [Int]

        private static let rules = [
            #"{"if": [{"ends_with": [{"var": "email"}, "@b.com"]}, "on", {"fractional": [["on", 10], ["off", 90]]}]}"#,
            #"{"if": [{"and": [{"==": [{"var": "country"}, "DE"]}, {">=": [{"var": "age"}, 18]}]}, "on"]}"#,
            #"{"if": [{"in": [{"var": "plan"}, ["free", "pro"]]}, "on", "off"]}"#,
            #"{"if": [{"or": [{"starts_with": [{"var": "email"}, "admin"]}, {"var": "beta"}]}, "on", "off"]}"#,
        ]

        private static func definitions() throws -> FlagDefinitions {
            let flags = (0..<100).map { number in
                #""flag-\#(number)": {"state": "ENABLED", "variants": {"on": true, "off": false}, "#
                    + #""defaultVariant": "off", "targeting": \#(rules[number % 4])}"#
            }
            return try FlagDefinitions(json: Data(#"{"flags": {\#(flags.joined(separator: ","))}}"#.utf8))
        }

        /// Starts the server on a free port, and returns the port once it takes connections. It runs until the process
        /// ends.
        func start() async throws -> Int {
            let provider = DefinitionsProvider(try Self.definitions(), context: .task())
            let flags = FlagsLoader(Flags.self, providers: [provider])
            let router = Router()
            router.get("0/:user") { _, context in "\(try context.parameters.require("user").utf8.count)" }
            for count in reads {
                router.get("\(count)/:user") { _, context in
                    let user = try context.parameters.require("user")
                    let subject = EvaluationContext(
                        targetingKey: user,
                        attributes: ["email": "a@company.example", "country": "DE", "age": 33, "plan": "pro"])
                    return withEvaluationContext(subject) {
                        var enabled = 0
                        for read in 0..<count {
                            let isOn =
                                switch read & 3 {
                                case 0: flags.split
                                case 1: flags.country
                                case 2: flags.plan
                                default: flags.email
                                }
                            if isOn { enabled += 1 }
                        }
                        return "\(enabled)"
                    }
                }
            }
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            var logger = Logger(label: "servers")
            logger.logLevel = .critical
            let application = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: logger)
            Task { try await application.run() }
            for await port in ports { return port }
            return 0
        }
    }
#else
    /// Its server is fetched only if asked for.
    @main
    struct Servers {
        static func main() {
            print("swift run -c release --package-path Tests/Benchmarks --traits Servers Servers")
        }
    }
#endif
