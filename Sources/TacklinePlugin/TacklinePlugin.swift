import Foundation
import PackagePlugin

/// `swift package tackline …` in any package that depends on this one.
@main
struct TacklinePlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "TacklineCLI").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // The tool has said what there was to say. SwiftPM knows no status but 0 and 1.
        if process.terminationStatus != 0 {
            Diagnostics.error("tackline ended with status \(process.terminationStatus)")
        }
    }
}
