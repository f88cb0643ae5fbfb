import TacklineCore
import TacklineRemoteJSON
import TacklineLoopback

/// Asks servers that close the connection at every place within a header, and prints what comes of it. With the name of a
/// transport it uses that one.
struct BrokenHeader {
    let bytes: Int
    let usesURLSession: Bool

    init(arguments: ArraySlice<String>) {
        bytes = arguments.first.flatMap { Int($0) } ?? 17
        usesURLSession = arguments.dropFirst().first == "URLSession"
    }

    func run() async throws {
        let header = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        let server = try LoopbackServer(replies: [.script([.text(String(header.utf8.prefix(bytes)) ?? ""), .close])])
        var configuration = RemoteJSONProvider.Configuration.forProbes
        if usesURLSession { configuration.transport = URLSessionTransport() }
        do {
            try await RemoteJSONProvider(url: server.url, configuration: configuration).refresh()
            print("accepted")
        } catch {
            print("failed: \(reason(of: error))")
        }
    }
}
