public import TacklineFoundation
import Synchronization
public import TacklineCore

// Foundation: documents expire at a `Date`.

extension FlagDocumentFormat {
    /// Returns the same format in signed envelopes, for files such as one in the app's bundle or one from another
    /// program.
    ///
    /// ```swift
    /// let shipped = ReadOnlyLocalProvider(file: url, format: .values.signed(by: trust))
    /// ```
    ///
    /// A file is refused as a whole if it is not signed, has expired, or has a lower `$version` than one that was in
    /// force. The values in force then stay, and the provider's status gives the reason. The version is
    /// remembered as long as the provider exists, and ``DocumentTrust/minimumVersion`` applies beyond that. For
    /// documents from a server use `RemoteJSONProvider.Configuration.trust`, which also remembers the version in its cache.
    ///
    /// - Parameters:
    ///   - trust: The rule that files must meet.
    ///   - now: A closure that returns the current time. The default is the system's clock.
    public func signed(
        by trust: DocumentTrust, now: @escaping @Sendable () -> Date = { Date() }
    ) -> FlagDocumentFormat {
        FlagDocumentFormat(name: "signed \(name)") { providerName in
            SignedDocumentStore(
                format: self, store: self.makeStore(providerName: providerName), trust: trust, now: now)
        }
    }
}

/// A store that opens envelopes and passes their documents to the store of their format.
private final class SignedDocumentStore: FlagDocumentStore {
    private let format: FlagDocumentFormat
    private let store: any FlagDocumentStore
    private let trust: DocumentTrust
    private let now: @Sendable () -> Date
    /// The version of the last document, and a key that has signed it.
    private let last = Mutex<(signer: String, version: Int128)?>(nil)

    init(
        format: FlagDocumentFormat, store: any FlagDocumentStore, trust: DocumentTrust,
        now: @escaping @Sendable () -> Date
    ) {
        (self.format, self.store, self.trust, self.now) = (format, store, trust, now)
    }

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument {
        let opened: (payload: Data, signers: [String])
        var content: FlagDocument
        let version: Int128
        do throws(FlagError) {
            opened = try trust.openedDocument(SignedEnvelope(document))
            content = try trust.document(of: opened.payload, format)
            version = try trust.checkTerms(content.root, at: now())
            if let (signer, highest) = last.withLock({ $0 }), opened.signers.contains(signer), version < highest {
                throw FlagError(
                    .untrustedDocument, "its $version \(version) is older than \(highest), which was in force; raise it"
                )
            }
        } catch {
            throw FlagError(.invalidDocument, error.reason)
        }
        if format.holdsValues { content.root = content.root.filter { !$0.key.hasPrefix("$") } }
        let prepared = try store.prepare(content, json: opened.payload)
        return {
            self.last.withLock { last in
                let signer = last.flatMap { opened.signers.contains($0.signer) ? $0.signer : nil }
                last = (signer ?? opened.signers.first ?? "", version)
            }
            return prepared()
        }
    }

    func reportIssues() { store.reportIssues() }
    func clear() -> [FlagProviderChange] { store.clear() }
    func announceSubjectChange() { store.announceSubjectChange() }
    var isTaskDependent: Bool { store.isTaskDependent }
    var subject: String? { store.subject }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation { store.evaluation(for: key) }
    func reasoning(for key: FlagKeyPath) -> FlagReasoning? { store.reasoning(for: key) }
    var document: FlagDocument { store.document }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}
