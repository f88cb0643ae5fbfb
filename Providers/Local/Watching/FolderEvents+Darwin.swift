#if canImport(Darwin)
    import Darwin
    import Dispatch

    /// Tells that something happened in some folders or to a file, for as long as it lives.
    final class FolderEvents: Sendable {
        private let sources: [any DispatchSourceFileSystemObject]

        /// Starts watching.
        ///
        /// - Parameters:
        ///   - places: The folders, which tell that names come and go, and the file, which tells that it is written to.
        ///   - handler: Called from a thread of Dispatch, also without cause. It must be quick.
        /// - Returns: `nil` if the operating system cannot watch all of them.
        init?(_ places: WatchedPlaces, handler: @escaping @Sendable () -> Void) {
            var sources: [any DispatchSourceFileSystemObject] = []
            for place in places.folders + (places.file.map { [$0] } ?? []) {
                let descriptor = open(place.path, O_EVTONLY | O_CLOEXEC)
                guard descriptor >= 0 else {
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

        private static let queue = DispatchQueue(label: "tackline.local-files")

        /// Whether changes of files in a folder are told here at all, wherever they are made.
        ///
        /// A network file system tells only what this machine does. Apps on other systems than macOS keep their files on
        /// the device, so there is nothing to ask; and what would be asked is, for Apple, a question about the disk's space
        /// that takes a reason.
        static func areReliable(for folder: WatchedPlaces.Place) -> Bool {
            #if os(macOS)
                var system = statfs()
                guard statfs(folder.path, &system) == 0 else { return false }
                return system.f_flags & UInt32(MNT_LOCAL) != 0
            #else
                return true
            #endif
        }
    }
#endif
