import TacklineCore
import TacklineRemoteJSON
import TacklineLoopback

/// Asks servers that close the connection at every place within a header, and prints what comes of it.
struct BrokenHeader {
    let bytes: Int

    init(arguments: ArraySlice<String>) {
        bytes = arguments.first.flatMap { Int($0) } ?? 17
    }

    func run() async throws {
        let header = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        let server = try LoopbackServer(replies: [.script([.text(String(header.utf8.prefix(bytes)) ?? ""), .close])])
        do {
            try await RemoteJSONProvider(url: server.url, configuration: .forProbes).refresh()
            print("accepted")
        } catch {
            print("failed: \(reason(of: error))")
        }
    }
}
