import Foundation
import Synchronization
import TacklineCLibrary
import TacklineCore
import TacklineFiles

/// The facts about the process that a launch guard uses.
enum LaunchProcess {
    /// A hash that distinguishes the executable from others in the folder, and from other builds of it.
    static var identity: String {
        let file = Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
        var parts = ["CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion"].map {
            "\(Bundle.main.object(forInfoDictionaryKey: $0) ?? "")"
        }
        parts.append(URL(filePath: file).lastPathComponent)
        #if !canImport(Darwin)
            parts.append("\(StoredFile.modificationTime(of: file) ?? 0)")
        #endif
        return String(FlagDocument(["parts": .array(parts.map { .string($0) })]).fingerprint ?? 0, radix: 16)
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
            return status?.contains(/TracerPid:\t[1-9]/) == true
        #endif
    }

    /// The descriptor of the notes, or -1.
    private static let notes = Atomic<CInt>(-1)

    /// Clears the notes when a signal closes the program, unless the program handles the signal itself.
    static func clearOnTermination(_ descriptor: CInt) {
        notes.store(descriptor, ordering: .sequentiallyConsistent)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            sigaction(number, nil, &action)
            let handler = signal(number) { number in
                let descriptor = LaunchProcess.notes.load(ordering: .sequentiallyConsistent)
                if descriptor >= 0 { _ = ftruncate(descriptor, 0) }
                signal(number, SIG_DFL)
                raise(number)
            }
            if handler != nil { sigaction(number, &action, nil) }
        }
    }

    /// Leaves the notes as they are when a signal closes the program.
    static func keepOnTermination(_ descriptor: CInt) {
        _ = notes.compareExchange(expected: descriptor, desired: -1, ordering: .sequentiallyConsistent)
    }
}
