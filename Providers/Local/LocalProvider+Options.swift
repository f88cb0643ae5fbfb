extension LocalProvider {
    /// What to do about a file whose content cannot be used.
    ///
    /// In either case its values are not used, and ``LocalProvider/status`` says what is wrong with it.
    public enum Recovery: Sendable, Hashable {
        /// Refuse to write until somebody has corrected or moved the file.
        case refuse
        /// Before the first write, move the file to a dated name beside it:
        /// `overrides.unreadable-20261121T082912Z.json`.
        ///
        /// A file that cannot be read at all, for want of permission for example, is never moved.
        case setAside
    }

    /// How a provider treats its file.
    public struct Options: Sendable, Hashable {
        /// What to do about a file whose content cannot be used.
        public var recovery: Recovery
        /// The longest to wait while other processes write the same file.
        public var lockTimeLimit: Duration
        /// How long the file may be, in bytes, for reading and for writing. The values take up to about thirty times as
        /// much memory.
        public var maximumBytes: Int

        /// Makes options.
        public init(
            recovery: Recovery = .refuse,
            lockTimeLimit: Duration = .seconds(5),
            maximumBytes: Int = 16 << 20
        ) {
            self.recovery = recovery
            self.lockTimeLimit = lockTimeLimit
            self.maximumBytes = maximumBytes
        }
    }
}
