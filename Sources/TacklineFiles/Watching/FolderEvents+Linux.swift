#if os(Linux)
    import Dispatch
    import Synchronization
    import TacklineCLibrary

    /// A source of events for the folders on a path and the file at its end. It reports events while it exists.
    final class FolderEvents: Sendable {
        private let subscriptions: [InotifyHub.Subscription]

        /// Starts watching.
        ///
        /// - Parameters:
        ///   - path: The path. Its folders report added and removed names. The file itself is watched as well, because
        ///     a mounted file, as in a container, or one with a second name may be written without an event in its
        ///     folder.
        ///   - handler: Called on the Dispatch queue of the hub, possibly without a change. It must return quickly.
        /// - Returns: `nil` if the operating system can't watch all of them.
        init?(_ path: FollowedPath, handler: @escaping @Sendable () -> Void) {
            var subscriptions: [InotifyHub.Subscription] = []
            let file = path.file.map { ($0.path, [[UInt8]]()) }
            for (place, names) in path.folders.map({ ($0.place.path, $0.names) }) + (file.map { [$0] } ?? []) {
                guard let subscription = InotifyHub.shared.subscribe(to: place, names: names, handler) else {
                    for subscription in subscriptions { InotifyHub.shared.unsubscribe(subscription) }
                    return nil
                }
                subscriptions.append(subscription)
            }
            self.subscriptions = subscriptions
        }

        deinit {
            for subscription in subscriptions { InotifyHub.shared.unsubscribe(subscription) }
        }

        /// Whether everything that is watched still exists.
        var isIntact: Bool { subscriptions.allSatisfy { InotifyHub.shared.isWatching($0) } }

        /// Returns whether all changes on a path are reported, wherever they are made.
        ///
        /// A network file system reports only changes by this machine. The kind of file system is looked up by device
        /// in the kernel's list (`proc_pid_mountinfo(5)`). A device that isn't listed is assumed to be local.
        static func areReliable(for path: FollowedPath) -> Bool {
            guard let bytes = try? OpenFile("/proc/self/mountinfo", O_RDONLY).contents(limit: 1 << 20) else {
                return true
            }
            let devices = path.folders.map(\.place.deviceNumbers)
            return !bytes.split(separator: UInt8(ascii: "\n")).contains { line in
                let words = line.split(separator: UInt8(ascii: " "))
                guard words.count > 2, devices.contains(String(decoding: words[2], as: UTF8.self)),
                    let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }), dash + 1 < words.count
                else { return false }
                let kind = String(decoding: words[dash + 1], as: UTF8.self)
                return remoteKinds.contains(kind) || kind.hasPrefix("fuse.")
            }
        }

        private static let remoteKinds = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse", "9p", "ceph", "afs", "coda", "virtiofs", "vboxsf", "lustre",
        ]
    }

    extension FollowedPath.Place {
        /// The device numbers in the kernel's format, such as `8:1` (in the layout of `gnu_dev_major` in glibc).
        fileprivate var deviceNumbers: String {
            let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            let minor = device & 0xFF | (device >> 12) & ~0xFF
            return "\(major):\(minor)"
        }
    }

    /// The single inotify instance of the process.
    ///
    /// A user can have only a few instances, 128 by default, so all providers share one.
    final class InotifyHub: Sendable {
        static let shared = InotifyHub()

        /// A subscription of a handler to one folder or file.
        final class Subscription: Sendable {
            fileprivate let watch: CInt
            /// The names in the folder for which events are reported.
            fileprivate let names: [[UInt8]]
            fileprivate let handler: @Sendable () -> Void

            fileprivate init(_ watch: CInt, _ names: [[UInt8]], _ handler: @escaping @Sendable () -> Void) {
                (self.watch, self.names, self.handler) = (watch, names, handler)
            }
        }

        private let descriptor: CInt
        /// Retained, because a released source sends no events. Not used after the initializer.
        nonisolated(unsafe) private let source: (any DispatchSourceRead)?
        private let subscriptions = Mutex([Subscription]())
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

        /// Subscribes a handler to events in a folder, or of a file.
        ///
        /// - Parameters:
        ///   - path: The folder or the file.
        ///   - names: The names in the folder for which events are reported.
        /// - Returns: `nil` if it can't be watched: it doesn't exist, can't be read, or the user's limit of watches is
        ///   reached.
        func subscribe(
            to path: String, names: [[UInt8]], _ handler: @escaping @Sendable () -> Void
        ) -> Subscription? {
            guard descriptor >= 0 else { return nil }
            // The mask is the same for all subscriptions, because a second call for a folder replaces the mask of the
            // first.
            let mask =
                IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF
            return subscriptions.withLock { subscriptions in
                // Under the lock, so that no other thread removes the watch before the subscription is added.
                let watch = inotify_add_watch(descriptor, path, UInt32(mask))
                guard watch >= 0 else { return nil }
                let subscription = Subscription(watch, names, handler)
                subscriptions.append(subscription)
                return subscription
            }
        }

        func unsubscribe(_ subscription: Subscription) {
            // The caller holds the subscription, so it isn't released under the lock.
            subscriptions.withLock { subscriptions in
                guard let index = subscriptions.firstIndex(where: { $0 === subscription }) else { return }
                subscriptions.remove(at: index)
                if !subscriptions.contains(where: { $0.watch == subscription.watch }) {
                    inotify_rm_watch(descriptor, subscription.watch)
                }
            }
        }

        /// Returns whether the kernel still watches. It stops when the folder or file is deleted or its file system is
        /// unmounted.
        func isWatching(_ subscription: Subscription) -> Bool {
            subscriptions.withLock { $0.contains { $0 === subscription } }
        }

        private struct Event {
            let watch: CInt
            let mask: UInt32
            /// The name in a folder; empty for the folder or the file itself.
            let name: [UInt8]
        }

        private func receive() {
            let events = readEvents()
            let hasOverflowed = events.contains { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 }
            // Removed subscriptions are released outside the lock.
            let present = subscriptions.withLock { subscriptions in
                let present = subscriptions
                for event in events where event.mask & UInt32(IN_IGNORED) != 0 {
                    subscriptions.removeAll { $0.watch == event.watch }
                }
                return present
            }
            for subscription in present {
                let isAffected = events.contains {
                    $0.watch == subscription.watch && ($0.name.isEmpty || subscription.names.contains($0.name))
                }
                if hasOverflowed || isAffected { subscription.handler() }
            }
        }

        private func readEvents() -> [Event] {
            var events: [Event] = []
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
                        events.append(Event(watch: event.wd, mask: event.mask, name: Array(name)))
                        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
                    }
                }
            }
            return events
        }
    }
#endif
