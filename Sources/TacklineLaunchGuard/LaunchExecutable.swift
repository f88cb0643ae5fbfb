import Foundation
import TacklineCLibrary

// Foundation: `Bundle` identifies the executable.

/// The identity of an executable in the folder of a launch guard.
struct LaunchExecutable {
    /// The name of its subfolder: the identifier of the bundle, if any, and the name of the file.
    let name: String
    /// The version of the bundle. Without a bundle it is the size and the time of the file, except on Apple's systems,
    /// where it is empty.
    let build: String

    /// The executable of this process.
    static var current: LaunchExecutable {
        let bundle = Bundle.main
        let file = bundle.executablePath ?? CommandLine.arguments.first ?? "program"
        let fileName = file.split(separator: "/").last.map(String.init) ?? "program"
        let parts = [bundle.bundleIdentifier, fileName].compactMap { $0 }
        let name = parts.joined(separator: " ").prefix(100).map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        let versions = ["CFBundleShortVersionString", "CFBundleVersion"].compactMap {
            bundle.object(forInfoDictionaryKey: $0).map { "\($0)" }
        }
        if !versions.isEmpty { return LaunchExecutable(name: String(name), build: versions.joined(separator: " ")) }
        #if !canImport(Darwin)
            var status = stat()
            if stat(file, &status) == 0 {
                let time = status.st_mtim
                return LaunchExecutable(name: String(name), build: "\(status.st_size) \(time.tv_sec).\(time.tv_nsec)")
            }
        #endif
        return LaunchExecutable(name: String(name), build: "")
    }
}
