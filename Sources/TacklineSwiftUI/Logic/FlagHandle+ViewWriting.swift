package import TacklineCore

extension FlagHandle {
    /// Writes a value for a view, which has nobody to throw to: what goes wrong is reported.
    ///
    /// - Parameter provider: The id of the provider; `nil` for the first writable one.
    package func setValueFromView(_ value: Value, providerNamed provider: String?) {
        guard let flag = reference else { return }
        do {
            try flag.setEncodedValue(value.encoded, providers: provider.map { [.named($0)] })
        } catch {
            flag.core.reporter.report(
                FlagIssue(
                    FlagIssue.Code("write-from-view"), message: "A view could not write a flag. \(error)",
                    key: flag.keyPath, provider: provider))
        }
    }
}
