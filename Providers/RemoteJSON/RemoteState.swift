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

/// The origin of the values in force.
package enum RemoteSource: String, Sendable, Hashable {
    /// The cache on disk. The server has not confirmed the values.
    case cached
    /// The server, or the cache after the server has confirmed its document.
    case fresh
}

/// An action of a remote provider, or something that happened to it, for logs, metrics and tests.
package enum RemoteEvent: Sendable, Equatable, CustomStringConvertible {
    /// There are values, from the cache or from the server.
    case ready(RemoteSource)
    /// Other values are in force. The revision is `nil` if the document was withdrawn.
    case changed(keys: Set<FlagKeyPath>, revision: String?, source: RemoteSource)
    case unchanged
    /// A request failed, or brought no acceptable document.
    case failed(FlagError)
    case staged(String)
    case cacheWriteFailed(FlagError)
    case stopped
    /// A line for the log only.
    case note(String)

    /// A line for a log, of at most 600 characters, since foreign text must not break or flood it.
    package var description: String {
        let text =
            switch self {
            case .ready(let source): "ready with \(source) values"
            case .changed(let keys, let revision, let source):
                "\(keys.count) values changed (\(source), \(revision ?? "withdrawn")): "
                    + keys.map(\.text).sorted().prefix(5).joined(separator: ", ")
            case .unchanged: "nothing new"
            case .failed(let error): "a request failed: \(error.reason)"
            case .staged(let revision): "\(revision) waits to be activated"
            case .cacheWriteFailed(let error): "cache not written: \(error.reason)"
            case .stopped: "stopped"
            case .note(let line): line
            }
        return String(text.prefix(600).map { $0.isNewline || $0 == "\u{0}" ? " " : $0 })
    }
}

/// Reports problems with a server's answers as issues, each kind once until an answer is good.
package struct RemoteIssues: Sendable {
    let provider: String
    package let reporter = FlagIssueReporter.current

    package init(provider: String) { self.provider = provider }

    /// Reports the error of a request, or resolves those of earlier requests. Failures of the network are no issues; the
    /// provider's status has them.
    package func take(_ error: FlagError?) {
        let codes: [FlagError.Code: FlagError.Code] = [
            .rejected: "rejected-document", "misconfigured": "refused-request",
        ]
        guard let error else { return codes.values.forEach { reporter.resolve($0, provider: provider) } }
        guard let code = codes[error.code], reporter.issues(code, provider: provider).isEmpty else { return }
        reporter.report(FlagError(code, error.message, provider: provider))
    }
}
