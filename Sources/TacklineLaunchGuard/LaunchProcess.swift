import Foundation
import Synchronization
import TacklineCLibrary

// Foundation: `Bundle` identifies the executable.

/// The facts about the process that a launch guard uses.
enum LaunchProcess {
    /// The name of the executable's folder: the identifier of the bundle, if any, the name of the file, and the build,
    /// which is the version of the bundle, or else the size and the time of the file.
    static var name: String {
        let bundle = Bundle.main
        let file = bundle.executablePath ?? CommandLine.arguments.first ?? "program"
        let versions = ["CFBundleShortVersionString", "CFBundleVersion"].compactMap {
            bundle.object(forInfoDictionaryKey: $0).map { "\($0)" }
        }
        var parts = [bundle.bundleIdentifier, file.split(separator: "/").last.map(String.init)].compactMap(\.self)
        parts += versions
        #if !canImport(Darwin)
            var status = stat()
            if versions.isEmpty, stat(file, &status) == 0 {
                parts.append("\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
            }
        #endif
        return String(parts.joined(separator: " ").suffix(100).map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    }

    /// Whether the process is an app extension, or an app that the system has launched in the background.
    static var isInBackground: Bool {
        if Bundle.main.bundlePath.hasSuffix(".appex") { return true }
        #if canImport(ObjectiveC)
            // By name, so that no user interface framework has to be linked. 2 is `UIApplication.State.background`.
            if Thread.isMainThread, let application = NSClassFromString("UIApplication") as? NSObject.Type,
                application.value(forKeyPath: "sharedApplication.applicationState") as? Int == 2
            {
                return true
            }
        #endif
        return ProcessInfo.processInfo.environment["ActivePrewarm"] == "1"
    }

    /// Whether a debugger is attached.
    static var isDebugged: Bool {
        #if canImport(Darwin)
            var info = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
            return sysctl(&name, 4, &info, &size, nil, 0) == 0 && info.kp_proc.p_flag & P_TRACED != 0
        #else
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
            return line.map { !$0.hasSuffix("\t0") } ?? false
        #endif
    }

    /// The notes that `SIGTERM` clears, or -1.
    private static let notes = Atomic<CInt>(-1)

    /// Clears the notes when the process is terminated by `SIGTERM`, unless the program handles that signal itself.
    static func clearOnTermination(_ file: LaunchNotes?) {
        notes.store(file?.descriptor ?? -1, ordering: .sequentiallyConsistent)
        var action = sigaction()
        guard file != nil, sigaction(SIGTERM, nil, &action) == 0 else { return }
        #if canImport(Darwin)
            let isDefault = action.__sigaction_u.__sa_handler == nil
        #else
            let isDefault = action.__sigaction_handler.sa_handler == nil
        #endif
        guard isDefault else { return }
        signal(SIGTERM) { number in
            let descriptor = LaunchProcess.notes.load(ordering: .sequentiallyConsistent)
            if descriptor >= 0 { _ = ftruncate(descriptor, 0) }
            signal(number, SIG_DFL)
            raise(number)
        }
    }
}
