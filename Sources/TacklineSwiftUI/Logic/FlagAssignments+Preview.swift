import TacklineCore

extension FlagAssignments {
    /// Creates a loader with the values. They can be written, and exist as long as the loader.
    ///
    /// Issues go to the standard reporter.
    func makePreviewLoader() -> FlagsLoader<Collection> {
        let (document, issues) = document()
        let provider = FlagPreviewProvider(store: FlagProviderStore(document))
        for issue in issues { FlagIssueReporter.current.report(issue) }
        return FlagsLoader(Collection.self, providers: [provider], observation: .tracked)
    }
}

/// A provider with the values of one preview.
private struct FlagPreviewProvider: WritableFlagProvider {
    let name = "preview"
    let store: FlagProviderStore

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}
