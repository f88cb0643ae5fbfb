#if Logging
    public import Logging
    public import TacklineCore
    import TacklineRemoteJSON

    extension FlagIssueReporter {
        /// Writes issues to a logger, with `flag`, `provider`, `code` and `severity` as metadata.
        ///
        /// ```swift
        /// let reporter = FlagIssueReporter.logging(to: logger, secrets: SecretFlagKeys(of: ShopFlags.self))
        /// let flags = FlagsLoader(ShopFlags.self, providers: [remote], issueReporter: reporter)
        /// ```
        ///
        /// A mistake in the declaration is an error, anything else a warning. Messages quote values; those about a secret flag are replaced by
        /// one that does not.
        ///
        /// - Parameters:
        ///   - logger: The logger.
        ///   - secrets: The flags whose values are not to be written.
        public static func logging(to logger: Logger, secrets: SecretFlagKeys) -> FlagIssueReporter {
            FlagIssueReporter { issue in
                let severity = issue.level
                var metadata: Logger.Metadata = ["code": "\(issue.code)", "severity": "\(severity)"]
                if let key = issue.key { metadata["flag"] = "\(key)" }
                if let provider = issue.provider { metadata["provider"] = "\(provider)" }
                let isSecret = issue.key.map { secrets.contains($0) } ?? false
                logger.log(
                    level: severity,
                    isSecret ? "Something is wrong with a secret flag; its value is left out." : "\(issue.message)",
                    metadata: metadata)
            }
        }
    }

    extension FlagError {
        /// Mistakes that only a new version of the program corrects are errors.
        fileprivate var level: Logger.Level {
            let mistakes: Set<Code> = [
                .unboundFlag, .loaderGone, .cycle, .tooDeep, .duplicateKey, .emptyKeyComponent,
                .separatorInKeyComponent,
                .emptySeparator, .missingReflection, .unreachableFlag, .wrongRoot, .hiddenFlag,
            ]
            return mistakes.contains(code) ? .error : .warning
        }
    }
#endif
