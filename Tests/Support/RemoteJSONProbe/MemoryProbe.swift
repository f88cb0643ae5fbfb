import Foundation
import TacklineLoopback

/// Asks for bodies that are too large, and prints by how many kilobytes the process's memory grew at most.
enum MemoryProbe {
    /// A body of 100 MB, with a length and chunked.
    static func hugeBody() async throws {
        let block = [UInt8](repeating: 0x20, count: 64 << 10)
        try await measure([("Content-Length", "\(block.count * 1600)")], [.repeatBytes(block, count: 1600)])
        try await measure([("Transfer-Encoding", "chunked")], [.repeatChunk(block, count: 1600)])
    }

    /// A megabyte of gzip that is 150 once decoded: the header of a file (RFC 1952), and a block with fixed codes (RFC 1951,
    /// section 3.2.6) of a blank and repetitions. Bits fill bytes from the lowest one on.
    static func gzipBomb() async throws {
        // Huffman codes come with their highest bit first: a blank is 0x30 + 32, length 258 is 0xC5, distance 1 is 00000.
        let blank: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 0]
        let again: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        // Not the last block, fixed codes.
        let bits: [UInt8] = [0, 1, 0] + blank + Array(repeatElement(again, count: 32).joined())
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            (0..<8).reduce(0 as UInt8) { $0 | bits[start + $1] << $1 }
        }
        let opening = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + bytes.prefix(2 + 13)
        // 13 bytes that mean 2,064 more blanks: eight times 258, of 13 bits each. They repeat from any place on.
        let repetition = Array(bytes[(2 + 13)...].prefix(13))
        try await measure(
            [("Content-Encoding", "gzip"), ("Content-Type", "application/json")],
            [.bytes(opening), .repeatBytes(repetition, count: 75_000), .close])
    }

    private static func measure(_ fields: [(String, String)], _ body: [LoopbackStep]) async throws {
        // What is made once in a process.
        _ = try await refresh(.response(.json(#"{"a": 1}"#)))
        let before = peakKilobytes
        let headers = fields.map { LoopbackHeader($0, $1) }
        print(try await refresh(.script([.head(status: 200, headers: headers)] + body)))
        print("growth \(peakKilobytes - before)")
    }

    private static func refresh(_ reply: LoopbackReply) async throws -> String {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        return await RemoteJSONProbe.refresh(server.url)
    }

    /// The most memory that the process has had, from `/proc`; zero where there is none.
    private static var peakKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
