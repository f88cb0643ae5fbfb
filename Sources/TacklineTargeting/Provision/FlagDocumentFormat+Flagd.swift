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
    /// others are not affected. A document that holds no definitions is rejected, and the previous one stays in force.
    ///
    /// - Parameters:
    ///   - context: The source of the context that flags are evaluated for.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. Everyone who evaluates the document must use the same one.
    ///   - issueReporter: Receives each flag that is wrong or cannot be evaluated, once for each document.
    ///   - timestamp: Returns the time that rules see, in seconds since 1970.
    ///   - clock: The clock by which a provider waits for the second at which a rule that depends on the time gives
    ///     another value.
    ///   - sticky: Keeps subjects in the variants that splits first gave them, for flags that ask for it; `nil` for
    ///     none.
    public static func flagd(
        context: FlagContextSource, limits: TargetingLimits = .default,
        fractional: FractionalGeneration = .v2, issueReporter: FlagIssueReporter = .current,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp,
        clock: any Clock<Duration> = ContinuousClock(), sticky: StickyAssignments? = nil
    ) -> FlagDocumentFormat {
        // An operator takes two levels, and the rule itself is nested a few levels deep.
        let depth = 2 * limits.maximumDepth + 16
        return FlagDocumentFormat(name: "flagd", maximumDepth: depth) { providerName in
            let settings = RuleSettings(
                timestamp: timestamp, fractional: fractional, limits: limits)
            return DefinitionsStore(
                providerName: providerName, source: context, reporter: issueReporter,
                timestamp: timestamp, clock: clock, sticky: sticky
            ) { document, json throws(TargetingError) in
                try FlagDefinitions(document, text: json, settings: settings)
            }
        }
    }
}
