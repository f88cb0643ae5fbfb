package import TacklineCore

extension FlagHandle {
    /// Writes a value for a view, which has nobody to throw to: what goes wrong is reported.
    ///
    /// - Parameter provider: The id of the provider; `nil` for the first writable one.
    package func setValueFromView(_ value: Value, providerNamed provider: String?) {
        guard let loaded = owner as? LoadedFlags else { return }
        do {
            let flag = FlagReference(loaded: loaded, ordinal: ordinal)
            try flag.setEncodedValue(value.encoded, providersNamed: provider.map { [$0] })
        } catch {
            loaded.reporter.report(
                FlagIssue(
                    FlagIssue.Code("write-from-view"), message: "A view could not write a flag. \(error)",
                    key: keyPath, provider: provider))
        }
    }
}
