import Foundation

/// Gives one of the tests inputs until it fails, or as the arguments say, which are those of libFuzzer. The variable `FUZZ`
/// names the test.
@main
struct Fuzz {
    private typealias FuzzTest = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

    private static let tests: [String: FuzzTest] = [
        "json": { fuzzJSON($0, $1) }, "events": { fuzzEventStream($0, $1) }, "envelope": { fuzzEnvelope($0, $1) },
        "cache": { fuzzCache($0, $1) }, "headers": { fuzzHeaders($0, $1) },
    ]

    static func main() {
        guard let test = ProcessInfo.processInfo.environment["FUZZ"].flatMap({ tests[$0] }) else {
            print("FUZZ is to be one of \(tests.keys.sorted())")
            exit(64)
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, test))
    }
}

// libFuzzer's own driver, called from here because SwiftPM renames `main`, so that libFuzzer's cannot be used.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
