#if canImport(Glibc) || canImport(Musl)
    @preconcurrency import TacklineCLibrary
#elseif canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The environment variables of this process.
enum ProcessVariables {
    /// The values by name.
    static var current: [String: String] {
        #if canImport(Glibc) || canImport(Musl)
            // `ProcessInfo` takes five times as long.
            var variables: [String: String] = [:]
            var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe environ
            while let entry = unsafe next.pointee {
                if let equals = unsafe strchr(entry, CInt(UInt8(ascii: "="))) {
                    let name = unsafe UnsafeRawBufferPointer(start: entry, count: equals - entry)
                    variables[unsafe String(decoding: name, as: UTF8.self)] = unsafe String(cString: equals + 1)
                }
                unsafe next += 1
            }
            return variables
        #else
            return ProcessInfo.processInfo.environment
        #endif
    }
}
