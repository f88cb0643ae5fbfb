import TacklineCLibrary

/// Functions on paths, which treat them as the operating system does.
package enum LocalPath {
    /// Returns the folder of a path, which is `.` for a bare name.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last name of a path.
    package static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// Returns whether there is nothing at a path.
    package static func isAbsent(_ path: String) -> Bool {
        var attributes = stat()
        return stat(path, &attributes) != 0 && errno == ENOENT
    }

    /// Creates a folder and its missing parents, and flushes their names.
    package static func makeFolder(_ path: String) throws(SystemCallError) {
        var missing: [String] = []
        var folder = path
        var attributes = stat()
        while stat(folder, &attributes) != 0, errno == ENOENT {
            missing.append(folder)
            let outer = LocalPath.folder(of: folder)
            // The current folder may have been removed.
            guard outer != folder else { break }
            folder = outer
        }
        for folder in missing.reversed() {
            do {
                try SystemCallError.check("mkdir", folder) { mkdir(folder, 0o777) }
            } catch  where error.number == EEXIST {
                // Another process has created it meanwhile.
            }
            _ = try OpenFile(LocalPath.folder(of: folder), O_RDONLY).flushFolder()
        }
    }

    /// Returns an unused name for a damaged file, such as `overrides.unreadable-20261121T082912Z.json`.
    package static func freeDatedName(beside path: String) -> String {
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
}
