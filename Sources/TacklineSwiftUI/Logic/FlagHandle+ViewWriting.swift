package import TacklineCore

extension FlagHandle {
    /// Writes a value for a view, which can't handle an error and must not wait.
    ///
    /// The value is in force when the call returns. A file is written soon after. A failure is reported, and views that read
    /// the flag are drawn again, so that their controls show its value.
    ///
    /// - Parameter provider: The id of the provider, or `nil` for the first writable one.
    package func setValueFromView(_ value: Value, providerNamed provider: String?) {
        guard let flag = untyped else { return }
        do {
            try DeferredFlagWrites.$areOn.withValue(true) {
                try flag.write(value.encoded, to: provider.map { [.named($0)] })
            }
        } catch {
            flag.core.reporter.report(
                FlagError(
                    FlagError.Code("write-from-view"), "A view could not write a flag. \(error)",
                    key: flag.keyPath, provider: provider))
            // The control shows the value that could not be written until it is drawn again.
            flag.core.notifyObservation(ofUnchanged: flag.ordinal)
        }
    }
}
