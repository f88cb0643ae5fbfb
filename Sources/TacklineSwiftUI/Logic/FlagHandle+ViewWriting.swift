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
        let code = FlagError.Code("write-from-view")
        do {
            try DeferredFlagWrites.$areOn.withValue(true) {
                try flag.write(value.encoded, to: [provider.map { .named($0) }])
            }
            flag.core.reporter.resolve(code, key: flag.keyPath, provider: provider)
        } catch {
            flag.core.reporter.report(
                FlagError(
                    code, "A view could not write a flag. \((error as? FlagError)?.message ?? "\(error)")",
                    key: flag.keyPath, provider: provider))
            // The control shows the value that could not be written until it is drawn again.
            flag.core.notifyObservation(of: flag.ordinal)
        }
    }
}
