package import Foundation

/// A folder of a test's own, removed when the value goes away.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        // Memory where there is such a place, so that thousands of flushes take no time.
        let memory = URL(filePath: "/dev/shm")
        let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isWritable ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "tackline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String) -> URL {
        url.appending(path: name)
    }

    /// Makes a file with the given text.
    package func file(_ name: String, _ text: String) throws -> URL {
        let file = file(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: file(name)), as: UTF8.self)
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: file(name)))
    }

    /// The names of all files, also those with a dot in front.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }
}
