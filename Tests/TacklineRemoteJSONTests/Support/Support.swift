import Foundation
import Synchronization
import TacklineLoopback
import TacklineTestSupport
import TacklineTesting

@testable import TacklineRemoteJSON

extension RemoteJSONProvider {
    /// Waits until so many tasks wait for the request, or for the next one.
    func waitForFetchWaiters(count: Int) async throws {
        try await wait {
            let callers = refresher.read { [$0.request, $0.next].map { $0?.callers.load(ordering: .relaxed) ?? 0 } }
            return callers[0] + callers[1] >= count
        }
    }
}

extension ManualClock {
    /// Waits until nothing is left to do but to wait for a time in this range.
    func waitForSleep(within range: ClosedRange<Duration>) async throws(CancellationError) {
        try await waitForSleepers { $0.count == 1 && range.contains($0[0]) }
    }
}

extension RemoteJSONProvider.Configuration {
    /// Without a cache and without real time: the clock stands still, so a test that hangs is ended by its limit alone.
    static func forTests(_ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in })
        -> RemoteJSONProvider.Configuration
    {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.clock = ManualClock()
        configuration.transport = TestTransport.make()
        configuration.randomNumber = { 0 }
        // Longer than whatever a test moves a clock by.
        configuration.requestTimeout = .seconds(1e6)
        change(&configuration)
        return configuration
    }
}

/// A gzip file (RFC 1952) with one block that is not compressed (RFC 1951, section 3.2.4).
func storedGzip(_ data: Data) -> Data {
    func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var crc: UInt32 = .max
    for byte in data {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let length = UInt32(data.count)
    var file = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1])
    file += littleEndian(length, 2) + littleEndian(~length, 2)
    file += data
    return file + littleEndian(~crc, 4) + littleEndian(length, 4)
}

/// The executable `RemoteJSONProbe`, run in a process of its own.
enum Probe {
    /// Where the executable is: beside the tests. `nil` where it was not built.
    static let executable = ChildProcess.program("RemoteJSONProbe")

    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        return try ChildProcess(executable, arguments, environment: environment)
    }

    /// Runs it to its end and returns what it printed.
    static func output(_ arguments: [String]) async throws -> String {
        try await start(arguments).ending().lines.joined(separator: "\n")
    }
}

/// A document of one flag, `a`, with its tag.
func good(_ value: Int = 1) -> LoopbackReply {
    .response(.json(#"{"a": \#(value)}"#, etag: "\"\(value)\""))
}

/// A 200 with exactly this body and a tag of its own.
func document(_ body: [UInt8], type: String? = "application/json", tag: String? = "\"bad\"") -> LoopbackReply {
    var headers: [LoopbackHeader] = []
    if let type { headers.append(LoopbackHeader("Content-Type", type)) }
    if let tag { headers.append(LoopbackHeader("ETag", tag)) }
    return .response(LoopbackResponse(status: 200, headers: headers, body: body))
}

func document(_ text: String, type: String? = "application/json", tag: String? = "\"bad\"") -> LoopbackReply {
    document(Array(text.utf8), type: type, tag: tag)
}

func status(_ status: Int, _ headers: [LoopbackHeader] = [], body: String = "") -> LoopbackReply {
    .response(LoopbackResponse(status: status, headers: headers, body: Array(body.utf8)))
}

/// Replies one after the other, and then the last one for ever.
final class Replies: Sendable {
    private let rest: Mutex<[LoopbackReply]>

    init(_ replies: [LoopbackReply]) { rest = Mutex(replies) }

    func next() -> LoopbackReply {
        rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .response(LoopbackResponse(status: 500)) }
    }
}
