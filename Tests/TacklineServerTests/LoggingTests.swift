#if Logging
    import Logging
    import TacklineCore
    import TacklineMemory
    import TacklineServer
    import TacklineTestSupport
    import Testing

    @Suite("The reporter of issues for swift-log", .hangLimit)
    struct LoggingTests {
        @Test("writes flag, provider and code as metadata")
        func metadata() throws {
            let lines = Told<Line>()
            let reporter = FlagIssueReporter.logging(to: logger(lines))
            let memory = MemoryProvider(name: "remote", values: ["page_size": "many"])
            let flags = FlagsLoader(ServerFlags.self, providers: [memory], issueReporter: reporter)
            #expect(flags.pageSize == 20)
            let line = try #require(lines.all.first)
            #expect(lines.all.count == 1 && line.level == .warning)
            #expect(
                line.metadata == ["flag": "page_size", "provider": "remote", "code": "refused-value"])
            #expect(line.message.contains("many"))
        }

        @Test("never writes a value of a secret flag")
        func secrets() {
            let lines = Told<Line>()
            let reporter = FlagIssueReporter.logging(to: logger(lines))
            let memory = MemoryProvider(
                name: "remote",
                values: ["token": 4711471147114711, "group/hidden": "4711471147114711"])
            let flags = FlagsLoader(ServerFlags.self, providers: [memory], issueReporter: reporter)
            #expect(flags.token.isEmpty && !flags.group.hidden)
            #expect(lines.all.count == 2)
            #expect(lines.all.allSatisfy { !"\($0)".contains("4711471147114711") && $0.metadata["code"] != nil })
        }

        private func logger(_ lines: Told<Line>) -> Logger {
            Logger(label: "test") { _ in Handler(lines: lines) }
        }
    }

    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }

    private struct Handler: LogHandler {
        let lines: Told<Line>
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add(Line(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
        }
    }
#endif
