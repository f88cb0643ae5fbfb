#if Logging
    public import Logging
    public import TacklineCore

    extension FlagIssueReporter {
        /// Writes issues to a logger as warnings, with `flag`, `provider` and `code` as metadata.
        ///
        /// ```swift
        /// let reporter = FlagIssueReporter.logging(to: logger)
        /// let flags = FlagsLoader(ShopFlags.self, providers: [remote], issueReporter: reporter)
        /// ```
        ///
        /// Messages quote values, but not those of secret flags, which have the tag `secret`.
        public static func logging(to logger: Logger) -> FlagIssueReporter {
            FlagIssueReporter { issue in
                var metadata: Logger.Metadata = ["code": "\(issue.code)"]
                if let key = issue.key { metadata["flag"] = "\(key)" }
                if let provider = issue.provider { metadata["provider"] = "\(provider)" }
                logger.warning("\(issue.message)", metadata: metadata)
            }
        }
    }
#endif
