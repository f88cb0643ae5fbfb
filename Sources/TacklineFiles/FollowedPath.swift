import TacklineCLibrary

/// A path that is followed from the root through every folder and every symbolic link, as the operating system does.
package struct FollowedPath: Sendable, Hashable {
    /// A file or folder on the path and its identity. A folder that was removed and created again has another identity.
    package struct Place: Sendable, Hashable {
        package let path: String
        package let device: UInt64
        /// The inode number.
        private let number: UInt64

        fileprivate init?(_ path: String, _ attributes: stat?) {
            guard let attributes else { return nil }
            self.path = path
            device = UInt64(truncatingIfNeeded: attributes.st_dev)
            number = UInt64(truncatingIfNeeded: attributes.st_ino)
        }
    }

    /// A folder in which names of the path are looked up. The path may lead elsewhere when one of them is added,
    /// removed or replaced.
    package struct Folder: Sendable, Hashable {
        package let place: Place
        package var names: [[UInt8]]
    }

    /// The folders in the order of lookup, without symbolic links in their paths.
    package private(set) var folders: [Folder] = []
    /// The file at the end of the path, or `nil` if there is none.
    package private(set) var file: Place?
    /// The path of the file without symbolic links. If there is no file, the path that it would have.
    package private(set) var target = ""
    /// The error that kept the path from being followed to its end, or `nil`. A missing file or folder is not an error.
    package private(set) var failure: SystemCallError?

    /// Follows a path.
    ///
    /// - Complexity: Two system calls for each name and each link on the path.
    package init(_ path: String) {
        var names: [Substring] = FollowedPath.names(of: path)
        if !FollowedPath.isAbsolute(path), let current = getcwd(nil, 0) {
            defer { free(current) }
            names += FollowedPath.names(of: String(cString: current))
        }
        var folder: [Substring] = []
        var links = 0
        while let name = names.popLast() {
            if name == ".." {
                _ = folder.popLast()
                continue
            }
            let folderPath = "/" + folder.joined(separator: "/")
            note(name, in: folderPath)
            folder.append(name)
            let here = "/" + folder.joined(separator: "/")
            let attributes = attributes(of: here)
            guard let attributes, attributes.st_mode & S_IFMT == S_IFLNK, let destination = destination(of: here) else {
                if names.isEmpty { file = Place(here, attributes) }
                // A path can't be followed past a missing name.
                if attributes == nil { break }
                continue
            }
            links += 1
            guard links <= 40 else {
                failure = SystemCallError(call: "readlink", path: path, number: ELOOP)
                break
            }
            _ = folder.popLast()
            if FollowedPath.isAbsolute(destination) { folder = [] }
            names += FollowedPath.names(of: destination)
        }
        target = "/" + (folder + names.reversed()).joined(separator: "/")
    }

    /// Returns the path of the file that a path leads to, or would lead to if it existed.
    ///
    /// Renaming a file onto a symbolic link replaces the link; renaming it onto this path replaces the file. The result
    /// doesn't change if a link is changed later.
    package static func target(of path: String) throws(FileFailure) -> String {
        let path = FollowedPath(path)
        if let failure = path.failure { throw .system(failure) }
        return path.target
    }

    /// Returns the names in a path, last one first. The path is split by bytes, because a slash and a combining mark
    /// form one character.
    private static func names(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }.filter { $0 != "." }.reversed()
    }

    private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    private mutating func note(_ name: Substring, in path: String) {
        if let index = folders.firstIndex(where: { $0.place.path.utf8.elementsEqual(path.utf8) }) {
            if !folders[index].names.contains(where: { $0.elementsEqual(name.utf8) }) {
                folders[index].names.append(Array(name.utf8))
            }
        } else if let place = Place(path, attributes(of: path)) {
            folders.append(Folder(place: place, names: [Array(name.utf8)]))
        }
    }

    private mutating func attributes(of path: String) -> stat? {
        var attributes = stat()
        if lstat(path, &attributes) == 0 { return attributes }
        let number = errno
        if number != ENOENT, number != ENOTDIR {
            failure = SystemCallError(call: "lstat", path: path, number: number)
        }
        return nil
    }

    private mutating func destination(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
