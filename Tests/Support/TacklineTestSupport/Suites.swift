package import Foundation
package import Testing

/// Test data that is not part of the package.
package enum Suites {
    package static let skipMessage: Comment = "no test data: set TACKLINE_SUITES, or put it at ../shared/suites"

    /// The folder of a suite, or `nil` where the suites are not installed.
    ///
    /// Looked for in the folder that the environment variable `TACKLINE_SUITES` names, else in `../shared/suites` next
    /// to the package.
    package static func folder(_ name: String) -> URL? {
        let root: URL
        if let path = ProcessInfo.processInfo.environment["TACKLINE_SUITES"] {
            root = URL(fileURLWithPath: path)
        } else {
            var package = URL(fileURLWithPath: #filePath)
            for _ in 0..<4 { package.deleteLastPathComponent() }
            root = package.deletingLastPathComponent().appendingPathComponent("shared/suites")
        }
        let folder = root.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
