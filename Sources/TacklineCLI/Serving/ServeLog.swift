#if CommandLine
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    import TacklineCore
    import TacklineCLibrary

    // Foundation: a time is a `Date`.

    /// A log of a server's events, printed as a line of text or JSON for each.
    struct ServeLog: Sendable {
        var isJSON = false
        var output = CommandOutput.standard

        /// Prints one event.
        ///
        /// - Parameters:
        ///   - event: The name of the event, for programs.
        ///   - text: The text for people. Control characters in it are escaped.
        ///   - members: The facts for programs.
        func tell(_ event: String, _ text: String, _ members: [String: EncodedFlagValue] = [:]) {
            // A failure to write a line does not stop the server.
            if isJSON {
                var members = members
                members["event"] = .string(event)
                let now = Date(timeIntervalSince1970: Double(time(nil)))
                members["time"] = .string((try? FlagTimestamp.text(of: now)) ?? "")
                try? output.line((try? FlagJSONWriter(layout: .compact).text(of: .object(members))) ?? "{}")
            } else {
                try? output.line("\(Self.clock)  \(SafeText.line(text))")
            }
        }

        /// The hours, minutes and seconds of the local time, such as `14:03:59`.
        private static var clock: String {
            var seconds = time(nil)
            var parts = tm()
            localtime_r(&seconds, &parts)
            return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }
                .joined(separator: ":")
        }
    }
#endif
