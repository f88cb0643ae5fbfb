#if CommandLine
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    import TacklineCore
    import TacklineTerminal
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
                try? output.line("\(ClockText().time(Date()))  \(SafeText.line(text))")
            }
        }
    }
#endif
