#if canImport(Darwin)
    import Dispatch
    import TacklineCLibrary

    /// A source of events for the folders on a path and the file at its end. It reports events while it exists.
    final class FolderEvents: Sendable {
        private let sources: [any DispatchSourceFileSystemObject]

        /// Starts watching.
        ///
        /// - Parameters:
        ///   - path: The path. Its folders report added and removed names, and its file reports writes.
        ///   - handler: Called on a Dispatch thread, possibly without a change. It must return quickly.
        /// - Returns: `nil` if the operating system can't watch all of them.
        init?(_ path: FollowedPath, handler: @escaping @Sendable () -> Void) {
            var sources: [any DispatchSourceFileSystemObject] = []
            let last = path.folders.last?.place
            for place in path.folders.map(\.place) + (path.file.map { [$0] } ?? []) {
                let descriptor = open(place.path, O_EVTONLY | O_CLOEXEC)
                guard descriptor >= 0 else {
                    // A sandbox hides the folders above a container, and only the system changes their contents.
                    if place != last, place != path.file, errno == EPERM || errno == EACCES { continue }
                    for source in sources { source.cancel() }
                    return nil
                }
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor,
                    eventMask: [.write, .extend, .attrib, .rename, .delete, .revoke],
                    queue: FolderEvents.queue
                )
                source.setEventHandler(handler: handler)
                source.setCancelHandler { close(descriptor) }
                source.resume()
                sources.append(source)
            }
            self.sources = sources
        }

        deinit {
            for source in sources { source.cancel() }
        }

        /// Whether everything that is watched still exists. An open descriptor keeps the inode number of a deleted
        /// folder from being reused, so a path that compares equal has the folders that are watched.
        var isIntact: Bool { true }

        private static let queue = DispatchQueue(label: "tackline.local-files")

        /// Returns whether all changes on a path are reported, wherever they are made.
        ///
        /// A network file system reports only changes by this machine. On platforms other than macOS, apps keep their
        /// files on the device, so nothing is checked. Checking would use an API for which Apple requires a reason
        /// (disk space).
        static func areReliable(for path: FollowedPath) -> Bool {
            #if os(macOS)
                path.folders.allSatisfy { folder in
                    var system = statfs()
                    guard statfs(folder.place.path, &system) == 0 else { return false }
                    return system.f_flags & UInt32(MNT_LOCAL) != 0
                }
            #else
                return true
            #endif
        }
    }
#endif
