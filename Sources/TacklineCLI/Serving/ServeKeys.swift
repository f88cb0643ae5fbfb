#if CommandLine
    import FlyingFox
    import Foundation

    /// The keys that clients have to send. Without keys, every client is admitted.
    struct ServeKeys: Sendable {
        private let keys: [[UInt8]]
        /// The key in the address of a stream, since a browser's `EventSource` sends no header. It is new in each
        /// process.
        private let streamKey: String

        /// - Parameter path: A file with a key on each line; `nil` for no keys.
        /// - Throws: If the file cannot be read, or contains no key.
        init(path: String?) throws(CommandFailure) {
            var random = SystemRandomNumberGenerator()
            streamKey = String(random.next(), radix: 36) + String(random.next(), radix: 36)
            guard let path else {
                keys = []
                return
            }
            let lines = try InputFile(path: path).bytes.split { $0 == 10 || $0 == 13 }
            keys = lines.map { line in
                Array(line.drop { $0 == 32 || $0 == 9 }.reversed().drop { $0 == 32 || $0 == 9 }.reversed())
            }.filter { !$0.isEmpty }
            guard !keys.isEmpty else {
                throw CommandFailure("\(path) has no key; write one on each line.", status: .usage)
            }
        }

        /// The query of a stream's address; empty without keys.
        var query: String { keys.isEmpty ? "" : "?key=\(streamKey)" }

        /// Returns whether a request contains a key, as `X-API-Key`, as a bearer's token, or in the address of a
        /// stream.
        func admits(_ request: HTTPRequest, isStream: Bool) -> Bool {
            guard !keys.isEmpty else { return true }
            var shown: [String] = []
            if let key = request.headers[HTTPHeader("X-API-Key")] { shown.append(key) }
            if let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") {
                shown.append(field.dropFirst(7).trimmingCharacters(in: .whitespaces))
            }
            if isStream, let key = request.query.first(where: { $0.name == "key" })?.value,
                Self.areEqual(Array(key.utf8), Array(streamKey.utf8))
            {
                return true
            }
            return shown.contains { key in keys.contains { Self.areEqual($0, Array(key.utf8)) } }
        }

        /// Returns whether two keys are equal, in a time that does not depend on the place of the first difference.
        private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
            guard first.count == second.count else { return false }
            return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
#endif
