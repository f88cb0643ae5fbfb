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

    /// What a write waits for.
    ///
    /// A crash of the process loses nothing in either case, and whatever happens, a file is in the old state or in the new
    /// one.
    public enum Durability: Sendable, Hashable {
        /// That the new file is on the disk: it survives a loss of power right after the call.
        case full
        /// That the new file is complete on its way there: a loss of power may cost the last writes. On Apple's systems that
        /// takes a fraction of the time (`F_BARRIERFSYNC` in place of `F_FULLFSYNC`), elsewhere somewhat less.
        case barrier

        /// How the new file is flushed before it gets its name, and the folder after that; `nil` for not at all.
        ///
        /// In either case the content goes before the name. The flush of the folder empties the drive's whole cache, so one
        /// is enough for both.
        var flushes: (file: OpenFile.Flush, folder: OpenFile.Flush?) {
            switch self {
            case .full: (.barrier, .disk)
            case .barrier: (.barrier, nil)
            }
        }
    }

    /// How a provider treats its file.
    public struct Options: Sendable, Hashable {
        /// What to do about a file whose content cannot be used.
        public var recovery: Recovery
        /// How changes by others are noticed.
        public var changeDetection: ChangeDetection
        /// What a write waits for; ``Durability/full`` by default.
        public var durability: Durability
        /// How long to gather writes before the file is written, or `nil`, the default, to write at once.
        ///
        /// With a delay, setting a value only changes memory, so it never waits: what interfaces want, even if the delay is
        /// zero. The file is written after the delay, by ``LocalProvider/flush()``, and on Apple's systems when the app goes
        /// to the background. Until then a crash loses the value; and when writing fails, it stays in memory, the status
        /// says what went wrong, that is reported, and the next write or `flush()` tries again.
        public var writeDelay: Duration?
        /// The longest to wait while other processes write the same file.
        public var lockTimeLimit: Duration
        /// The largest size of the file in bytes, for reading and for writing. The values take up to about thirty times as
        /// much memory.
        public var maximumBytes: Int
        /// The permissions that a new file gets, such as 0o600, or `nil`, the default, for what the process's mask leaves of
        /// 0o666, as for any file that it makes. A file that is there keeps its own, and its extended attributes.
        public var newFilePermissions: UInt16?

        /// Makes options.
        public init(
            recovery: Recovery = .refuse,
            changeDetection: ChangeDetection = .automatic,
            durability: Durability = .full,
            writeDelay: Duration? = nil,
            lockTimeLimit: Duration = .seconds(5),
            maximumBytes: Int = 16 << 20,
            newFilePermissions: UInt16? = nil
        ) {
            self.recovery = recovery
            self.changeDetection = changeDetection
            self.durability = durability
            self.writeDelay = writeDelay
            self.lockTimeLimit = lockTimeLimit
            self.maximumBytes = maximumBytes
            self.newFilePermissions = newFilePermissions
        }
    }
}
