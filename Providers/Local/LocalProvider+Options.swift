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

    /// How a provider notices that somebody else has changed its file.
    public enum ChangeDetection: Sendable, Hashable {
        /// The operating system tells, usually within milliseconds. Where it does not, as on network file systems of
        /// macOS and Linux, the file is read once a second. On iOS and the like every file is taken to be on the device.
        case automatic
        /// The file is read at an interval, at least 10 milliseconds.
        case polling(every: Duration)
        /// Changes are noticed by writes and by ``LocalProvider/reload()`` only.
        case off
    }

    /// How a provider treats its file.
    public struct Options: Sendable, Hashable {
        /// What to do about a file whose content cannot be used.
        public var recovery: Recovery
        /// How changes by others are noticed.
        public var changeDetection: ChangeDetection
        /// How long to gather writes before the file is written, or `nil`, the default, to write at once.
        ///
        /// With a delay, setting a value only changes memory. Until the file is written, by the delay or
        /// ``LocalProvider/flush()``, a crash loses it; and when writing fails, the value stays in memory, the status
        /// says what went wrong, and the next write or `flush()` tries again.
        public var writeDelay: Duration?
        /// The longest to wait while other processes write the same file.
        public var lockTimeLimit: Duration
        /// How long the file may be, in bytes, for reading and for writing. The values take up to about thirty times as
        /// much memory.
        public var maximumBytes: Int

        /// Makes options.
        public init(
            recovery: Recovery = .refuse,
            changeDetection: ChangeDetection = .automatic,
            writeDelay: Duration? = nil,
            lockTimeLimit: Duration = .seconds(5),
            maximumBytes: Int = 16 << 20
        ) {
            self.recovery = recovery
            self.changeDetection = changeDetection
            self.writeDelay = writeDelay
            self.lockTimeLimit = lockTimeLimit
            self.maximumBytes = maximumBytes
        }
    }
}
