/// How writes that are made in the current task reach the disk.
package enum FlagWriteManner {
    /// Whether they are for an interface, which must not wait for the disk: memory changes at once and the file soon after.
    ///
    /// What wraps a provider, such as a layer of overrides, hands it on without knowing.
    @TaskLocal package static var isDeferred = false
}
