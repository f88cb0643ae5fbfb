import TacklineCore
import TacklineRemoteJSON
import TacklineLoopback

/// Asks for a body of 100 MB, with a length and chunked, and measures how much memory that took.
struct HugeBody {
    func run() async throws {
        let block = [UInt8](repeating: 0x20, count: 64 << 10)
        let frames = [
            LoopbackHeader("Content-Length", "\(block.count * 1600)"), LoopbackHeader("Transfer-Encoding", "chunked"),
        ]
        let warmUp = try LoopbackServer(replies: [.response(.json(#"{"a": 1}"#))])
        try await RemoteJSONProvider(url: warmUp.url, configuration: .forProbes).refresh()
        for (index, frame) in frames.enumerated() {
            let before = Figures().peakKilobytes
            let body = index == 0 ? LoopbackStep.repeatBytes(block, count: 1600) : .repeatChunk(block, count: 1600)
            let server = try LoopbackServer(replies: [.script([.head(status: 200, headers: [frame]), body])])
            do {
                try await RemoteJSONProvider(url: server.url, configuration: .forProbes).refresh()
                print("accepted")
            } catch {
                print("\(frame.name): \(reason(of: error))")
            }
            print("growth \(Figures().peakKilobytes - before)")
        }
    }
}
