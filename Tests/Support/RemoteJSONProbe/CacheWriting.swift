import Foundation
import TacklineRemoteJSON

/// Writes entries of all sizes into a cache that others write too, and reads after each write.
///
/// The body of an entry says how long it is, so that a reader can tell a whole one from a mixture.
struct CacheWriting {
    let cache: RemoteCache
    let count: Int

    init(arguments: ArraySlice<String>) throws {
        let values = Array(arguments)
        guard values.count == 3, let url = URL(string: values[1]), let count = Int(values[2]) else {
            throw CocoaError(.formatting)
        }
        cache = RemoteCache(folder: URL(filePath: values[0]), target: RemoteTarget(url: url))
        self.count = count
    }

    func run() throws {
        var incomplete = 0
        for number in 0..<count {
            try cache.save(Self.entry(bytes: Int.random(in: 100...60_000)), at: Date())
            if !Self.isComplete(cache.load()) { incomplete += 1 }
            // So that the test that kills it knows that it is at work.
            if number % 10 == 0 {
                print("written \(number + 1)")
                fflush(nil)
            }
        }
        print("incomplete \(incomplete)")
    }

    static func entry(bytes: Int) -> RemoteCacheEntry {
        let text = "{\"length\": \(bytes), \"filler\": \""
        let filler = String(repeating: "x", count: bytes - text.utf8.count - 2)
        return RemoteCacheEntry(body: Data("\(text)\(filler)\"}".utf8), confirmedAt: Date())
    }

    static func isComplete(_ entry: RemoteCacheEntry?) -> Bool {
        guard let body = entry?.body else { return false }
        return body.starts(with: Data("{\"length\": \(body.count), ".utf8))
    }
}
