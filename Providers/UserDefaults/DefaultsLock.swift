#if !canImport(ObjectiveC)
    import Foundation
    import TacklineFiles

    // Foundation: it provides the home folder.

    /// A lock that is held while a process reads, changes and writes user defaults.
    ///
    /// On Apple platforms, one system process writes all user defaults. Elsewhere, each process rewrites the whole
    /// file, so two concurrent writers would lose each other's values.
    struct DefaultsLock: ~Copyable {
        /// The locked file, or `nil` if there can be no lock.
        private let file: OpenFile?

        /// Takes the lock, and waits up to five seconds for other processes. The lock is released with the value.
        ///
        /// Returns `nil` after that time. If there can be no lock, for example because the home folder isn't writable,
        /// the initializer succeeds without one: no other process can write either, and the write reports the error.
        init?() {
            let configuration =
                ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? NSHomeDirectory() + "/.config"
            mkdir(configuration, 0o700)
            let path = configuration + "/.tackline-user-defaults.lock"
            do throws(SystemCallError) {
                let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
                guard try file.lock(within: .seconds(5)) else { return nil }
                self.file = .some(file)
            } catch {
                file = nil
            }
        }
    }
#endif
