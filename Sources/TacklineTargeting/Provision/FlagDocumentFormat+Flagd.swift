public import TacklineCore
public import TacklineFormats

extension FlagDocumentFormat {
    /// Documents are flagd's flag definitions, evaluated for ``CurrentContext/shared``.
    public static var flagd: FlagDocumentFormat { flagd(context: .current(.shared)) }

    /// Documents are flagd's flag definitions.
    ///
    /// ```swift
    /// let shipped = ReadOnlyLocalProvider(localURL: file, format: .flagd(context: .current(context)))
    /// let remote = RemoteJSONProvider(url: url, format: .flagd(context: .current(context)))
    /// ```
    ///
    /// A document is compiled once, when it is accepted. A flag that is wrong in it has no value, which is reported; the
    /// others stand. A document that holds no definitions is rejected, and the one before stays in force.
    ///
    /// - Parameters:
    ///   - context: Whom flags are evaluated for.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - fractional: The generation of `fractional`. It has to be that of everybody else who evaluates the document.
    ///   - issueReporter: Told of each flag that is wrong or cannot be evaluated, once for each document.
    ///   - timestamp: The time that rules see, in seconds since 1970.
    ///   - clock: What a provider waits by for the second at which a rule that depends on the time gives something else.
    ///   - sticky: Keeps subjects in the variants that splits first gave them, for flags that ask for it; `nil` for none.
    public static func flagd(
        context: FlagContextSource, limits: TargetingLimits = .default,
        fractional: FractionalGeneration = .v2, issueReporter: FlagIssueReporter = .current,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp,
        clock: any Clock<Duration> = ContinuousClock(), sticky: StickyAssignments? = nil
    ) -> FlagDocumentFormat {
        // An operator takes two levels, and the rule itself stands a few levels down.
        let depth = 2 * limits.maximumDepth + 16
        return FlagDocumentFormat(name: "flagd", maximumDepth: depth, isolatedMember: "flags") { providerName in
            let settings = RuleSettings(
                timestamp: timestamp, fractional: fractional, limits: limits)
            return DefinitionsStore(
                providerName: providerName, source: context, reporter: issueReporter,
                timestamp: timestamp, clock: clock, sticky: sticky
            ) { document, json throws(TargetingError) in
                // The text is looked at for places, and not kept: it may be large.
                try FlagDefinitions(document, source: json, keepsSource: false, settings: settings)
            }
        }
    }
}
