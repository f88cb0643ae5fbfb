#if CommandLine
    import Foundation
    import TacklineCore

    /// A log of a server's events, printed as a line of text or JSON for each.
    struct ServeLog: Sendable {
        var isJSON = false
        private static let time = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)

        /// Prints one event.
        ///
        /// - Parameters:
        ///   - event: The name of the event, for programs.
        ///   - text: The text for people. Control characters in it are escaped.
        ///   - members: The facts for programs.
        func write(_ event: String, _ text: String, _ members: [String: EncodedFlagValue] = [:]) {
            let now = Date()
            let facts: [String: EncodedFlagValue] = ["event": .string(event), "time": .date(now)]
            let json = FlagJSONWriter(layout: .compact)
            let line =
                isJSON
                ? (try? json.text(of: .object(members.merging(facts) { $1 }))) ?? "{}"
                : "\(now.formatted(Self.time))  \(SafeText.line(text))"
            // A failure to write a line does not stop the server.
            try? CommandOutput.standard.line(line)
        }
    }
#endif
