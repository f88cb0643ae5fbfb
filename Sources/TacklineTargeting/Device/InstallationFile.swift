import Foundation
import TacklineFiles

// Foundation: it knows the folder for the app's data, creates it and keeps the file out of backups.

/// The file with the identifier of an installation: a random UUID and a line feed.
struct InstallationFile {
    let path: String

    /// The file of the program that runs; `nil` if the system has no folder for it.
    static var standardPath: String? {
        #if os(tvOS)
            let directory = FileManager.SearchPathDirectory.cachesDirectory
        #else
            let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
        let name = Bundle.main.bundleIdentifier ?? program ?? "program"
        return FileManager.default.urls(for: directory, in: .userDomainMask).first?
            .appending(path: "tackline").appending(component: name).appending(path: "installation-id")
            .path(percentEncoded: false)
    }

    /// Returns the identifier, and makes one if there is none or if the file is damaged.
    ///
    /// - Throws: `FileFailure`, or the error of Foundation if the folder can't be created.
    func identifier() throws -> (String, wasDamaged: Bool) {
        // Much more than an identifier has, so that any damaged file is replaced.
        let file = StoredFile(path, maximumBytes: 1 << 20, permissions: 0o600, timeLimit: .seconds(2))
        if let known = try file.bytes().flatMap(Self.identifier(in:)) { return (known, false) }
        try createFolder()
        var result = (identifier: UUID().uuidString.lowercased(), wasDamaged: false)
        let new = result.identifier
        // Others wait meanwhile. Another thread or process may have been quicker.
        try file.rewrite { content in
            let known = content.flatMap(Self.identifier(in:))
            result = (known ?? new, known == nil && content.map { !$0.isEmpty } ?? false)
            return known == nil ? Array("\(new)\n".utf8) : nil
        }
        if result.identifier == new { leaveOutOfBackups() }
        return result
    }

    /// Returns the identifier that a file consists of; `nil` if it holds anything else.
    private static func identifier(in content: [UInt8]) -> String? {
        guard content.count == 37, content.last == UInt8(ascii: "\n") else { return nil }
        let text = String(decoding: content.dropLast(), as: UTF8.self)
        return UUID(uuidString: text).flatMap { $0.uuidString.lowercased() == text ? text : nil }
    }

    private func createFolder() throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Keeps a second device that is set up from a backup from having the same identifier. It is not worth a failure.
    private func leaveOutOfBackups() {
        #if canImport(Darwin)
            var url = URL(filePath: path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
        #endif
    }
}
