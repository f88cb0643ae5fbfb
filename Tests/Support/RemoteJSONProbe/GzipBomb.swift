import TacklineCore
import TacklineRemoteJSON
import TacklineLoopback

/// Asks for a megabyte of gzip that is 150 once decoded, and measures how much memory that takes.
struct GzipBomb {
    func run() async throws {
        let warmUp = try LoopbackServer(replies: [.response(.json(#"{"a": 1}"#))])
        try await RemoteJSONProvider(url: warmUp.url, configuration: .forProbes).refresh()
        let server = try LoopbackServer(replies: [
            .script([
                .head(
                    status: 200,
                    headers: [
                        LoopbackHeader("Content-Encoding", "gzip"), LoopbackHeader("Content-Type", "application/json"),
                    ]),
                .bytes(Self.opening), .repeatBytes(Self.repetition, count: 75_000), .close,
            ])
        ])
        let before = Figures().peakKilobytes
        do {
            try await RemoteJSONProvider(url: server.url, configuration: .forProbes).refresh()
            print("accepted")
        } catch {
            print(reason(of: error))
        }
        print("growth \(Figures().peakKilobytes - before)")
    }

    /// The header of a gzip file (RFC 1952), and the beginning of a block with fixed codes (RFC 1951, section 3.2.6): one
    /// blank, then its repetition.
    private static let opening = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + bits.prefix(2 + 13)

    /// 13 bytes that mean 2,064 more blanks: eight times "258 bytes as 1 byte before", of 13 bits each. They repeat from any
    /// place on.
    private static let repetition = Array(bits[(2 + 13)...].prefix(13))

    /// The block: not the last one, fixed codes, a blank, repetitions. Bits fill bytes from the lowest one on.
    private static let bits: [UInt8] = {
        // Huffman codes come with their highest bit first: a blank is 0x30 + 32, length 258 is 0xC5, distance 1 is 00000.
        let blank: [UInt8] = [0, 1, 0, 1, 0, 0, 0, 0]
        let again: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        var bits: [UInt8] = [0, 1, 0] + blank
        for _ in 0..<32 { bits += again }
        return stride(from: 0, to: bits.count - 7, by: 8).map { start in
            (0..<8).reduce(0) { $0 | bits[start + $1] << $1 }
        }
    }()
}
