#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTerminal

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Prints what a server does, a line for each event, as text or JSON.
    struct ServeLog: Sendable {
        var isJSON = false
        var output = CommandOutput.standard

        /// Prints one event.
        ///
        /// - Parameters:
        ///   - event: Its name, for programs.
        ///   - text: What people read. What others wrote in it is made safe here.
        ///   - members: What programs read.
        func tell(_ event: String, _ text: String, _ members: [String: EncodedFlagValue] = [:]) {
            // A line that cannot be written stops nobody from being served.
            if isJSON {
                var members = members
                members["event"] = .string(event)
                members["time"] = .string(Self.now(isUniversal: true))
                try? output.line((try? FlagJSONWriter(layout: .compact).text(of: .object(members))) ?? "{}")
            } else {
                try? output.line("\(Self.now(isUniversal: false).suffix(9).prefix(8))  \(SafeText.line(text))")
            }
        }

        /// The present moment in the form of RFC 3339, in the time of Greenwich, or in that of the place for people.
        private static func now(isUniversal: Bool) -> String {
            var seconds = time(nil)
            var parts = tm()
            if isUniversal { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
            func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
                + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
        }
    }
#endif
