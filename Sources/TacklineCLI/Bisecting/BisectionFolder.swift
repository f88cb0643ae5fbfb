#if CommandLine
    import Foundation
    import TacklineCLibrary
    import TacklineFiles

    /// A temporary folder for the file of values that a command gets. No other user can look into it: the values may be
    /// secrets.
    ///
    /// It is removed after use, also if a signal ends the search. What is left of a search that was killed is removed by
    /// the next one.
    struct BisectionFolder: ~Copyable {
        let file: URL
        private let folder: URL
        /// The open folder, whose lock shows that the search goes on, also to other containers with the same folders.
        private let opened: OpenFile?

        private static let prefix = "tackline-bisect-"
        /// The paths of the file and of its folder, for the handler of signals, which must not allocate. Only the search,
        /// which has one folder at a time, writes them, while the signals have their default actions.
        nonisolated(unsafe) private static var paths:
            (file: UnsafeMutablePointer<CChar>?, folder: UnsafeMutablePointer<CChar>?)
        /// The signals that end the search: those that its caller does not ignore, as `nohup` does.
        private static let signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
            let former = signal(number, SIG_IGN)
            signal(number, former)
            // Swift can't compare functions, and the default action is 0, which is no function.
            return unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        }

        /// Makes a folder.
        init() throws(CommandFailure) {
            let around = FileManager.default.temporaryDirectory
            folder = around.appending(path: "\(Self.prefix)\(getpid())-\(UUID())")
            file = folder.appending(path: "values.json")
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            } catch {
                throw CommandFailure("A folder for the values cannot be made: \(error.localizedDescription).")
            }
            opened = try? OpenFile(folder.path, O_RDONLY)
            _ = try? opened?.tryLock()
            Self.paths = (strdup(file.path), strdup(folder.path))
            for number in Self.signals {
                signal(number) { number in
                    if let file = BisectionFolder.paths.file { unlink(file) }
                    if let folder = BisectionFolder.paths.folder { rmdir(folder) }
                    signal(number, SIG_DFL)
                    raise(number)
                }
            }
        }

        deinit {
            for number in Self.signals { signal(number, SIG_DFL) }
            free(Self.paths.file)
            free(Self.paths.folder)
            Self.paths = (nil, nil)
            try? FileManager.default.removeItem(at: folder)
        }

        /// Removes the folders of this user's searches that were killed.
        static func removeLeftovers() {
            let around = FileManager.default.temporaryDirectory
            for name in (try? FileManager.default.contentsOfDirectory(atPath: around.path)) ?? [] {
                guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
                    process > 0, kill(process, 0) == -1, errno == ESRCH
                else { continue }
                let folder = around.appending(path: name)
                guard let opened = try? OpenFile(folder.path, O_RDONLY | O_NOFOLLOW), (try? opened.tryLock()) == true
                else { continue }
                // Another user's folder cannot be removed.
                try? FileManager.default.removeItem(at: folder)
            }
        }
    }
#endif
