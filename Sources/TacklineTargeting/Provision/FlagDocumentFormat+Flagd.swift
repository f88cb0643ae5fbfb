public import TacklineCore

extension FlagDocumentFormat {
    /// The format of flagd's flag definitions, evaluated for ``CurrentContext/shared``.
    public static var flagd: FlagDocumentFormat { flagd(context: .current(.shared)) }

    /// Returns the format of flagd's flag definitions.
    ///
    /// ```swift
    /// let shipped = ReadOnlyLocalProvider(file: file, format: .flagd(context: .current(context)))
    /// let remote = RemoteJSONProvider(url: url, format: .flagd(context: .current(context)))
    /// ```
    ///
    /// A document is compiled once, when it is accepted. A flag with a mistake has no value, which is reported; the
    /// others are not affected. A document that holds no definitions is rejected, and the previous one stays in force. To
    /// withdraw all flags, send `{ "$version": 8, "flags": {} }`.
    ///
    /// - Parameters:
    ///   - context: The source of the context that flags are evaluated for.
    ///   - fractional: The generation of `fractional`. Everyone who evaluates the document must use the same one.
    ///   - issueReporter: Receives each flag that is wrong or cannot be evaluated, once for each document.
    ///   - clock: The clock by which a provider waits for the second at which a rule that depends on the time gives
    ///     another value.
    ///   - sticky: Keeps subjects in the variants that splits first gave them, for flags that ask for it; `nil` for
    ///     none.
    public static func flagd(
        context: EvaluationContext.Source, fractional: FractionalVersion = .v2,
        issueReporter: FlagIssueReporter = .current, clock: any Clock<Duration> = ContinuousClock(),
        sticky: StickyAssignments? = nil
    ) -> FlagDocumentFormat {
        // An operator takes two levels, and the rule itself is nested a few levels deep.
        FlagDocumentFormat(name: "flagd", maximumDepth: 2 * RuleLimits.depth + 16) { providerName in
            let settings = RuleSettings(timestamp: FlagDefinitions.currentTimestamp, fractional: fractional)
            return DefinitionsStore(
                providerName: providerName, source: context, reporter: issueReporter,
                definitions: FlagDefinitions(settings: settings), clock: clock, sticky: sticky)
        }
    }
}
