package import TacklineCore
import TacklineFormats

extension FlagHandle {
    /// Writes a value for a view, which has nobody to throw to, and may not wait: what goes wrong is reported, and a file is
    /// written a moment later.
    ///
    /// - Parameter provider: The id of the provider; `nil` for the first writable one.
    package func setValueFromView(_ value: Value, providerNamed provider: String?) {
        guard let flag = reference else { return }
        do {
            try FlagWriteManner.$isDeferred.withValue(true) {
                try flag.setValue(value.encoded, providers: provider.map { [.named($0)] })
            }
        } catch {
            flag.core.reporter.report(
                FlagIssue(
                    FlagIssue.Code("write-from-view"), message: "A view could not write a flag. \(error)",
                    key: flag.keyPath, provider: provider))
        }
    }
}
