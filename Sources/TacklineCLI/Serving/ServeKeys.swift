#if CommandLine
    import FlyingFox
    import Foundation

    /// The keys that clients have to show; none lets everybody in.
    struct ServeKeys: Sendable {
        private let keys: [[UInt8]]
        /// What a stream's address carries, since a browser's `EventSource` sends no header; new in each process.
        private let streamKey: String

        /// - Parameter path: A file with a key on each line; `nil` for no keys.
        /// - Throws: If it cannot be read, or has no key.
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

        /// What the address of a stream carries.
        var query: String { keys.isEmpty ? "" : "?key=\(streamKey)" }

        /// Whether a request shows a key, as `X-API-Key`, as a bearer's token, or in the address of a stream.
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

        /// Compares in a time that says nothing of where the first difference is.
        private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
            guard first.count == second.count else { return false }
            return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
#endif
