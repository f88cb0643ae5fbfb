#if Logging
    public import Logging
    public import TacklineCore

    extension FlagIssueReporter {
        /// Writes issues to a logger, with `flag`, `provider`, `code` and `severity` as metadata.
        ///
        /// ```swift
        /// let reporter = FlagIssueReporter.logging(to: logger)
        /// let flags = FlagsLoader(ShopFlags.self, providers: [remote], issueReporter: reporter)
        /// ```
        ///
        /// A mistake in the declaration is an error, anything else a warning. Messages quote values, but not those of secret
        /// flags, which have the tag `secret`.
        public static func logging(to logger: Logger) -> FlagIssueReporter {
            FlagIssueReporter { issue in
                let level: Logger.Level = issue.isInDeclaration ? .error : .warning
                var metadata: Logger.Metadata = ["code": "\(issue.code)", "severity": "\(level)"]
                if let key = issue.key { metadata["flag"] = "\(key)" }
                if let provider = issue.provider { metadata["provider"] = "\(provider)" }
                logger.log(level: level, "\(issue.message)", metadata: metadata)
            }
        }
    }
#endif
