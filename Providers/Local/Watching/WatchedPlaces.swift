#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a change of a file can show: the folder of its name, the folder of the file that the name leads to, the file.
struct WatchedPlaces: Sendable, Hashable {
    /// A path and what it stands for at the moment. A folder that was removed and made again is another one.
    struct Place: Sendable, Hashable {
        let path: String
        let device: UInt64
        private let number: UInt64

        /// - Returns: `nil` if there is nothing at the path.
        init?(_ path: String) {
            var attributes = stat()
            guard stat(path, &attributes) == 0 else { return nil }
            self.path = path
            device = UInt64(truncatingIfNeeded: attributes.st_dev)
            number = UInt64(truncatingIfNeeded: attributes.st_ino)
        }
    }

    /// One or two folders.
    let folders: [Place]
    /// The file, on systems where a folder's events do not cover the files in it; `nil` elsewhere, and if there is no file.
    let file: Place?

    /// - Returns: `nil` if a folder does not exist.
    init?(of path: String) {
        guard let target = try? LocalPath.target(of: path), let first = Place(LocalPath.folder(of: path)),
            let second = Place(LocalPath.folder(of: target))
        else { return nil }
        folders = first == second ? [first] : [first, second]
        #if canImport(Darwin)
            file = Place(target)
        #else
            file = nil
        #endif
    }
}
