import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes requests with `URLSession` and nothing of ours: what grows here, nobody who stands on it can help.
struct SoakFloor {
    let count: Int

    init(arguments: ArraySlice<String>) {
        count = arguments.first.flatMap { Int($0) } ?? 10_000
    }

    func run() async throws {
        let server = try SoakServer.start()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let listener = Listener()
        let session = URLSession(configuration: configuration, delegate: listener, delegateQueue: nil)
        for index in 0...count {
            await withCheckedContinuation { continuation in
                listener.waiter.withLock { $0 = continuation }
                session.dataTask(with: URLRequest(url: server.url.appending(path: "flags.json"))).resume()
            }
            if index % max(count / 10, 1) == 0 { print("requests \(index): \(Figures())") }
        }
        session.invalidateAndCancel()
        try? server.input.fileHandleForWriting.close()
    }

    private final class Listener: NSObject, URLSessionDataDelegate {
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            waiter.withLock { $0 }?.resume()
        }
    }
}
