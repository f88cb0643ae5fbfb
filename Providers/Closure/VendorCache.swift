import Synchronization
import TacklineCore

/// What an SDK said last, for as long as it is observed.
final class VendorCache: Sendable {
    private struct Asking {
        var isRunning = false
        /// Whether a callback came while the SDK was being asked, so that the answer may be old.
        var isDirty = false
        /// The newest session for which values were asked for.
        var wantedSession: UInt64 = 0
        /// The session whose values the store holds; 0 for none.
        var filledSession: UInt64 = 0
    }

    let store = FlagProviderStore()
    private let name: String
    private let values: @Sendable () -> [String: EncodedFlagValue]
    private let asking = Mutex(Asking())

    init(name: String, values: @escaping @Sendable () -> [String: EncodedFlagValue]) {
        self.name = name
        self.values = values
    }

    /// Returns the values that the SDK said last in a session, or asks it now if there is none.
    ///
    /// - Parameter session: 0 if the SDK is not observed.
    func document(in session: UInt64) -> FlagDocument {
        let isFilled = session != 0 && asking.withLock { $0.filledSession == session }
        return isFilled ? store.document : ask()
    }

    /// Asks the SDK, and announces what differs. A call while another thread does that makes it ask once more.
    ///
    /// - Returns: Whether there were no values of the session before.
    func refresh(for session: UInt64) -> Bool {
        // A callback that the SDK makes while it answers tells nothing that the answer does not have.
        guard !FetchInProgress.isAsking(self) else { return false }
        let isFirst = asking.withLock { asking in
            asking.wantedSession = max(asking.wantedSession, session)
            asking.isDirty = true
            defer { asking.isRunning = true }
            return !asking.isRunning
        }
        guard isFirst else { return false }
        var hasFilled = false
        while let session = nextSession() {
            store.replaceDocument(with: ask())
            asking.withLock { asking in
                if asking.filledSession != session { hasFilled = true }
                asking.filledSession = session
            }
        }
        return hasFilled
    }

    /// The session to ask for, or `nil` if the last answer is still good.
    private func nextSession() -> UInt64? {
        asking.withLock { asking in
            guard asking.isDirty else {
                asking.isRunning = false
                return nil
            }
            asking.isDirty = false
            return asking.wantedSession
        }
    }

    private func ask() -> FlagDocument {
        FlagDocument(FetchInProgress.run(of: self, named: name, for: nil, values) ?? [:])
    }
}
