public import Foundation
public import TacklineCore

extension RemoteJSONProvider {
    /// The freshness of a provider's values, and its activity.
    ///
    /// Dates are those of the wall clock, for people to read. The provider itself uses a clock that can't be set.
    public struct State: Sendable, Equatable {
        /// The provider's health, as in ``RemoteJSONProvider/status``.
        public var status: FlagProviderStatus
        /// The edition of the document in force: its `$version` if it has one, otherwise its `ETag`, otherwise a hash;
        /// `nil` if there is no document.
        public var revision: String?
        /// Whether the values come from the cache, and the server has not confirmed them.
        public var isFromCache: Bool
        /// Whether a request is on its way.
        public var isFetching: Bool
        /// The time at which the server sent or last confirmed the values in force; `nil` if there are none.
        public var lastSuccess: Date?
        /// The reason why the last request failed; `nil` if it succeeded.
        public var lastError: FlagError?
        /// The time at which the provider sends its next request by itself; `nil` while it sends none.
        public var nextAttempt: Date?
    }
}

extension FlagIssueReporter {
    /// Reports the error of a request as an issue, each kind once until an answer is good, or resolves those of earlier
    /// requests if there is none. Failures of the network are no issues; the provider's status has them.
    package func take(_ error: FlagError?, of provider: String) {
        let codes: [FlagError.Code: FlagError.Code] = [
            .rejected: "rejected-document", .misconfigured: "refused-request",
        ]
        guard let error else { return replace(Array(codes.values), of: provider, with: []) }
        guard let code = codes[error.code], issues(code, provider: provider).isEmpty else { return }
        report(FlagError(code, error.message, provider: provider))
    }
}
