/// How writes that are made in the current task reach the disk.
public enum FlagWriteManner {
    /// Whether they are for an interface, which must not wait for the disk: memory changes at once and the file soon after.
    ///
    /// Bindings and the flag browser's views write so. Code of your own does with
    ///
    /// ```swift
    /// try FlagWriteManner.$isDeferred.withValue(true) { try flags.$newCheckout.setValue(true) }
    /// ```
    ///
    /// What goes wrong later is reported, and shows in the provider's status. A provider that keeps a file can ask for it;
    /// what wraps one, such as a layer of overrides, hands it on without knowing.
    @TaskLocal public static var isDeferred = false
}
