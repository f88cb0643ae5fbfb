import Foundation
import TacklineCore
import Testing

/// The public test data that lies beside the package, or where `TACKLINE_SUITES` says.
enum Suites {
    static let skipMessage: Comment = "no test data: set TACKLINE_SUITES, or put it at ../shared/suites"

    /// The folder of a suite; `nil` where there is none.
    static func folder(_ name: String) -> URL? {
        var candidates: [URL] = []
        if let path = ProcessInfo.processInfo.environment["TACKLINE_SUITES"] {
            candidates.append(URL(fileURLWithPath: path))
        }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        candidates.append(root.deletingLastPathComponent().appendingPathComponent("shared/suites"))
        return candidates.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    static func document(_ url: URL) throws -> EncodedFlagValue {
        try FlagJSONReader().read(Data(contentsOf: url))
    }

    /// The JSON files of a folder, in order.
    static func documents(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }
}
