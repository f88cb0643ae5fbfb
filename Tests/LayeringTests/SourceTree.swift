import Foundation
import Synchronization

/// The sources of this package, which are found from the path of this file.
enum SourceTree {
    static let root: URL = {
        // Folders may be links to those of a checkout elsewhere.
        var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url
    }()

    struct File {
        /// The path from the root of the package: `Sources/TacklineCore/Flags/Flag.swift`.
        let path: String
        let text: String

        /// The tokens. They are scanned at the first use, because not every rule needs them.
        var source: SourceText {
            if let known = SourceTree.scanned.withLock({ $0[path] }) { return known }
            let source = SourceText(text)
            SourceTree.scanned.withLock { $0[path] = source }
            return source
        }
    }

    /// Scanning takes most of the time of these tests, so each file is scanned once.
    private static let scanned = Mutex<[String: SourceText]>([:])

    /// The files of each folder that was read, because most rules are for the same folders.
    private static let read = Mutex<[String: [File]]>([:])

    /// Returns the Swift files below a folder, sorted by path; none if there is no such folder.
    static func files(in folder: String) throws -> [File] {
        if let known = read.withLock({ $0[folder] }) { return known }
        let files = try readFiles(in: folder)
        read.withLock { $0[folder] = files }
        return files
    }

    private static func readFiles(in folder: String) throws -> [File] {
        let start = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
        // Build folders of nested packages contain sources of other packages.
        let paths = walk.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
        return try paths.sorted().map { path in
            let text = try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8)
            return File(path: "\(folder)/\(path)", text: text)
        }
    }

    /// Returns the names of the modules that users may import.
    static func modules() throws -> Set<String> {
        func folders(in parent: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(parent).path)
                .filter { !$0.hasPrefix(".") }
        }
        return Set(try folders(in: "Sources") + folders(in: "Providers").map { "Tackline\($0)" })
    }
}
