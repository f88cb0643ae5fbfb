#if os(Linux)
    import Dispatch
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Tells that something happened in some folders, for as long as it lives.
    final class FolderEvents: Sendable {
        private let subscriptions: [InotifyHub.Subscription]

        /// Starts watching.
        ///
        /// - Parameters:
        ///   - places: The folders, each followed as long as it exists. Files are covered by their folders.
        ///   - handler: Called from a thread of the hub, also without cause. It must be quick.
        /// - Returns: `nil` if the operating system cannot watch all of them.
        init?(_ places: WatchedPlaces, handler: @escaping @Sendable () -> Void) {
            var subscriptions: [InotifyHub.Subscription] = []
            for folder in places.folders {
                guard let subscription = InotifyHub.shared.subscribe(to: folder.path, handler) else { return nil }
                subscriptions.append(subscription)
            }
            self.subscriptions = subscriptions
        }

        deinit {
            for subscription in subscriptions { InotifyHub.shared.unsubscribe(subscription) }
        }

        /// Whether changes of files in a folder are told here at all, wherever they are made.
        ///
        /// A network file system tells only what this machine does. The kind of file system is looked up by device in
        /// the kernel's list (`proc_pid_mountinfo(5)`); one that is not listed is taken for local.
        static func areReliable(for folder: WatchedPlaces.Place) -> Bool {
            guard let bytes = try? OpenFile("/proc/self/mountinfo", O_RDONLY).contents(limit: 1 << 20) else {
                return true
            }
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let words = line.split(separator: UInt8(ascii: " "))
                guard words.count > 2, words[2].elementsEqual(folder.deviceNumbers.utf8),
                    let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash + 1 < words.count
                else { continue }
                let kind = String(decoding: words[dash + 1], as: UTF8.self)
                return !remoteKinds.contains(kind) && !kind.hasPrefix("fuse.")
            }
            return true
        }

        private static let remoteKinds: Set<String> = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse", "9p", "ceph", "afs", "coda", "virtiofs", "vboxsf", "lustre",
        ]
    }

    extension WatchedPlaces.Place {
        /// The device as the kernel lists it, `8:1` (the layout is that of `gnu_dev_major` in glibc).
        fileprivate var deviceNumbers: String {
            let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            let minor = device & 0xFF | (device >> 12) & ~0xFF
            return "\(major):\(minor)"
        }
    }

    /// The process's one connection to inotify.
    ///
    /// A user has few of them, 128 by default, so providers share one.
    final class InotifyHub: Sendable {
        static let shared = InotifyHub()

        /// One folder watched for one handler.
        struct Subscription: Sendable {
            fileprivate let watch: CInt
            fileprivate let number: Int
        }

        private struct State {
            var handlers: [CInt: [Int: @Sendable () -> Void]] = [:]
            var lastNumber = 0
        }

        private let descriptor: CInt
        /// Kept, because a source that is let go is silent. Nobody uses it after it was set up in the initializer.
        nonisolated(unsafe) private let source: (any DispatchSourceRead)?
        private let state = Mutex(State())
        private static let queue = DispatchQueue(label: "tackline.local-files")

        private init() {
            descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
            guard descriptor >= 0 else {
                source = nil
                return
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: InotifyHub.queue)
            self.source = source
            source.setEventHandler { [unowned self] in receive() }
            source.resume()
        }

        /// - Returns: `nil` if the folder cannot be watched: it is not there, or the user's limit of watches is
        ///   reached.
        func subscribe(to folder: String, _ handler: @escaping @Sendable () -> Void) -> Subscription? {
            guard descriptor >= 0 else { return nil }
            let mask =
                IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR
            return state.withLock { state in
                // Under the lock, so that nobody gives back the watch which a second subscriber is just told.
                let watch = inotify_add_watch(descriptor, folder, UInt32(mask))
                guard watch >= 0 else { return nil }
                state.lastNumber += 1
                state.handlers[watch, default: [:]][state.lastNumber] = handler
                return Subscription(watch: watch, number: state.lastNumber)
            }
        }

        func unsubscribe(_ subscription: Subscription) {
            let handler = state.withLock { state in
                let handler = state.handlers[subscription.watch]?.removeValue(forKey: subscription.number)
                if state.handlers[subscription.watch]?.isEmpty == true {
                    state.handlers[subscription.watch] = nil
                    inotify_rm_watch(descriptor, subscription.watch)
                }
                return handler
            }
            // Let go outside of the lock.
            withExtendedLifetime(handler) {}
        }

        private func receive() {
            var watches: Set<CInt> = []
            var hasOverflowed = false
            withUnsafeTemporaryAllocation(byteCount: 16384, alignment: MemoryLayout<inotify_event>.alignment) {
                buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    guard count > 0 else { break }
                    var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    while rest.count >= MemoryLayout<inotify_event>.size {
                        let event = rest.loadUnaligned(as: inotify_event.self)
                        let size = MemoryLayout<inotify_event>.size + Int(event.len)
                        let name = rest[MemoryLayout<inotify_event>.size..<min(size, rest.count)].prefix { $0 != 0 }
                        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                            hasOverflowed = true
                        } else if !LocalFileReplacement.isNameOfNewVersion(name) {
                            watches.insert(event.wd)
                        }
                        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
                    }
                }
            }
            let handlers = state.withLock { state in
                (hasOverflowed ? Array(state.handlers.keys) : Array(watches)).flatMap { watch in
                    state.handlers[watch].map { Array($0.values) } ?? []
                }
            }
            for handler in handlers { handler() }
        }
    }
#endif
