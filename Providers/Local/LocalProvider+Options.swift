import TacklineFiles

extension LocalProvider {
    /// The treatment of a file with unusable contents.
    ///
    /// In either case its values are not used, and ``LocalProvider/status`` describes the problem.
    public enum Recovery: Sendable, Hashable {
        /// Refuses to write until the file has been corrected or moved.
        case refuse
        /// Moves the file to a dated name next to it before the first write, such as
        /// `overrides.unreadable-20261121T082912Z.json`.
        ///
        /// A file that can't be read at all, for example because of its permissions, is never moved.
        case setAside
    }

    /// The way in which a provider detects that somebody else has changed its file.
    public enum ChangeDetection: Sendable, Hashable {
        /// Uses events of the operating system for the file and for every folder and symbolic link on its path. They
        /// usually arrive within milliseconds. Without such events, the file is read once a second. This is the case on
        /// network file systems of macOS and Linux, and if a folder above the file can't be read. On iOS and similar
        /// platforms every file is assumed to be on the device.
        case automatic
        /// Reads the file at an interval, at least 10 milliseconds.
        case polling(every: Duration)
        /// Detects changes only at writes and in ``LocalProvider/reload()``.
        case off
    }

    /// The state that a write waits for.
    ///
    /// In either case, a crash of the process loses nothing, and the file is always either in the old or in the new
    /// state.
    public enum Durability: Sendable, Hashable {
        /// The new file is on the disk. It survives a loss of power right after the call.
        case full
        /// The new file is complete and on its way to the disk. A loss of power may lose the last writes. On Apple
        /// platforms this takes a fraction of the time (`F_BARRIERFSYNC` instead of `F_FULLFSYNC`), elsewhere somewhat
        /// less.
        case barrier
    }

    /// The settings of a provider's file.
    public struct Options: Sendable, Hashable {
        /// The treatment of a file with unusable contents.
        public var recovery: Recovery
        /// The way in which changes by others are detected.
        public var changeDetection: ChangeDetection
        /// The state that a write waits for. The default is ``Durability/full``.
        public var durability: Durability
        /// The time during which changes are gathered before the file is written, or `nil`, the default, to write
        /// immediately.
        ///
        /// With a delay, even of zero, setting a value only changes memory and never waits, which suits user
        /// interfaces. The file is written after the delay, by ``LocalProvider/flush()``, and on Apple platforms when
        /// the app goes to the background. Until then, a crash loses the value. If writing fails, the value stays in
        /// memory, the error is reported and appears in the status, and the next write or `flush()` tries again.
        public var writeDelay: Duration?
        /// The longest time to wait while other processes write the same file.
        public var lockTimeLimit: Duration
        /// The largest size of the file in bytes, for reading and for writing. The values in memory take up to about
        /// thirty times as much.
        public var maximumBytes: Int
        /// The permissions of a new file, such as 0o600, or `nil`, the default, for 0o666 as restricted by the
        /// process's umask. An existing file keeps its permissions and extended attributes.
        public var newFilePermissions: UInt16?

        /// Creates options.
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

extension LocalProvider.Options {
    /// The file at a path with these settings.
    func file(at path: String) -> StoredFile {
        StoredFile(
            path, maximumBytes: maximumBytes, permissions: newFilePermissions, durability: durability.ofFiles,
            timeLimit: lockTimeLimit)
    }
}

extension LocalProvider.Durability {
    var ofFiles: FileDurability {
        switch self {
        case .full: .full
        case .barrier: .barrier
        }
    }
}
