#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Questions about paths, as the operating system sees them.
enum LocalPath {
    /// The folder of a path: `.` for a bare name.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last name of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The file that a path stands for, after every symbolic link at its end.
    ///
    /// Renaming onto a link would replace the link; renaming onto what this returns replaces the file. A link to
    /// nothing leads to the file that it would lead to. Links among the folders are followed too, as far as there are such
    /// folders, so that whoever re-points one later changes nothing about what this is.
    static func target(of path: String) throws(SystemCallError) -> String {
        var path = path
        for _ in 0..<40 {
            guard let destination = try linkDestination(of: path) else { return inRealFolder(path) }
            path = destination.hasPrefix("/") ? destination : folder(of: path) + "/" + destination
        }
        throw SystemCallError(call: "readlink", path: path, number: ELOOP)
    }

    private static func inRealFolder(_ path: String) -> String {
        guard let real = realpath(folder(of: path), nil) else { return path }
        defer { free(real) }
        let folder = String(cString: real)
        return (folder == "/" ? "" : folder) + "/" + name(of: path)
    }

    /// Whether there is nothing at a path.
    static func isAbsent(_ path: String) -> Bool {
        var attributes = stat()
        return stat(path, &attributes) != 0 && errno == ENOENT
    }

    /// Makes a folder and those above it which are missing, and has their names flushed.
    static func makeFolder(_ path: String) throws(SystemCallError) {
        var missing: [String] = []
        var folder = path
        var attributes = stat()
        while stat(folder, &attributes) != 0, errno == ENOENT {
            missing.append(folder)
            let outer = LocalPath.folder(of: folder)
            // The current folder may itself be gone.
            guard outer != folder else { break }
            folder = outer
        }
        for folder in missing.reversed() {
            do {
                try SystemCallError.check("mkdir", folder) { mkdir(folder, 0o777) }
            } catch  where error.number == EEXIST {
                // Somebody else made it meanwhile.
            }
            _ = try OpenFile(LocalPath.folder(of: folder), O_RDONLY).flushFolder()
        }
    }

    /// A name for a damaged file, `overrides.unreadable-20261121T082912Z.json`, that nothing has yet.
    static func freeDatedName(beside path: String) -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(twoDigits).joined()
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits(Int($0)) }.joined()
        let name = name(of: path)
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let stem = "\(folder(of: path))/\(name[..<dot]).unreadable-\(date)T\(clock)Z"
        var attributes = stat()
        for number in 1... {
            let candidate = stem + (number == 1 ? "" : "-\(number)") + name[dot...]
            if lstat(candidate, &attributes) != 0 { return candidate }
        }
        return stem
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func linkDestination(of path: String) throws(SystemCallError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        do {
            let count = try SystemCallError.check("readlink", path) { readlink(path, &buffer, buffer.count) }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        } catch  where error.number == EINVAL || error.number == ENOENT || error.number == ENOTDIR {
            // Not a link, or not there; whoever opens it will say what is wrong.
            return nil
        }
    }
}
