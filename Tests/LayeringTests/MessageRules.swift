/// The rules for the texts that people see, as far as a test can check them.
enum MessageRules {
    /// A rule for the text alone, with the advice for a text that breaks it.
    private static let wordings: [(advice: String, isBroken: @Sendable (String) -> Bool)] = [
        (
            "say \"is not a\", not \"is no\"",
            {
                $0.contains(#/\b(?:is|are|was|were|be) no (?!longer\b|more\b)[A-Za-z]/#)
                    && !$0.contains(#/\b[Tt]here (?:is|are|was|were) no /#)
            }
        ),
        (
            "end the last sentence with a full stop",
            { text in
                text.contains(#/^[A-Z"“\\].*[a-z)…"][.?!] [A-Z]/#) && !text.contains(#/(?:[.?!:…)]|\\n|[.,:] )$/#)
            }
        ),
        ("give sizes with byteText, or leave them out", { $0.contains(#/…\) bytes\b/#) }),
        (
            "give durations with roundedText",
            { $0.contains(#/…\) (?:milli|micro|nano|atto)?seconds?\b/#) }
        ),
        (
            "say it here, because a message can't send people to a guide",
            { $0.contains(#/\b(?:[Gg]uides?|[Dd]ocumentation|[Mm]anual|README)\b/#) }
        ),
    ]

    /// The texts that break a rule, with the reason for each.
    private static let exceptions: [String: String] = [
        #"\(…)… (\(…) bytes)"#: "The core has no byteText, and the bytes are a flag's value.",
        // The next step is in the interpolation.
        #"The launch argument for the flag "\(…)" \(…)."#: "Each problem says what to do.",
        #"The value cannot be kept: \(…)."#: "The error says what is accepted.",
        #"An evaluation context cannot be used as it is: \(…)."#: "Each reason says what to do.",
    ]

    /// Returns the faults in a file's messages, as "path:line: advice: text".
    static func faults(in file: SourceTree.File) -> [String] {
        let source = file.source
        let inTexts = source.messages.flatMap { literal -> [String] in
            guard exceptions[literal.text] == nil else { return [] }
            var advice = wordings.filter { $0.isBroken(literal.text) }.map(\.advice)
            if isIssue(literal, of: source), !saysWhatIsNext(literal.text) { advice.append("add the next step") }
            if let call = source.call(around: literal), call.name == "FlagError",
                ["reason", "advice"].contains(call.label), literal.text.hasSuffix(".")
            {
                advice.append("leave out the full stop, which the description adds")
            }
            return advice.map { "\(file.path):\(literal.line): \($0): \(literal.text)" }
        }
        let withoutAdvice = source.calls(of: "FlagError").filter { _, arguments in
            hasLabel("reason", arguments) && (!hasLabel("advice", arguments) || arguments.contains("nil"))
        }
        return inTexts + withoutAdvice.map { "\(file.path):\($0.line): give the error an advice" }
    }

    /// Returns whether a literal is the message of an issue, or is given the name of one.
    private static func isIssue(_ literal: SourceText.Literal, of source: SourceText) -> Bool {
        guard literal.text.hasSuffix("."), literal.text.first?.isLowercase == false else { return false }
        if source.tokens[..<literal.start].suffix(2).map(\.text) == ["message", "="] { return true }
        guard let call = source.call(around: literal) else { return false }
        return call.name == "FlagError" && call.label == nil || call.name == "report" && call.label == nil
    }

    /// Returns whether a message has a second sentence, or a clause that says what to do.
    private static func saysWhatIsNext(_ text: String) -> Bool {
        text.contains(#/[.?!](?:\\\(…\))? ["A-Z\\]|; /#)
    }

    private static func hasLabel(_ label: String, _ arguments: [String]) -> Bool {
        zip(arguments, arguments.dropFirst()).contains { $0 == label && $1 == ":" }
    }
}
