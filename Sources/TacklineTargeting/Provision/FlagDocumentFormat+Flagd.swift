public import TacklineCore

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
    /// others stand. A document that is none of definitions is rejected, and the one before stays in force.
    ///
    /// - Parameters:
    ///   - context: Whom flags are evaluated for.
    ///   - exposures: Told whenever a loader asks for a flag and is given a value or an error.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - bucketing: The arithmetic of `fractional`.
    ///   - issueReporter: Told of each flag that is wrong or cannot be evaluated, once for each document.
    public static func flagd(
        context: FlagContextSource, exposures: ExposureRecorder? = nil, limits: TargetingLimits = .default,
        bucketing: any FractionalBucketing = .secondGeneration, issueReporter: FlagIssueReporter = .current
    ) -> FlagDocumentFormat {
        FlagDocumentFormat(name: "flagd") { providerName in
            DefinitionsStore(
                providerName: providerName, source: context, exposures: exposures, reporter: issueReporter
            ) { document throws(TargetingError) in
                try FlagDefinitions(document, limits: limits, bucketing: bucketing)
            }
        }
    }
}
