#if Web
    /// What lets somebody in: the token of the printed URL, and the session that the browser gets for it as a cookie.
    ///
    /// Both are 192 random bits. A console makes its own, so that they end with it. Keep the ``text`` where only you can
    /// read it, and give it to the next console, if pages are to stay signed in when the program is started again.
    public struct FlagsConsoleSecrets: Sendable {
        let token: String
        let session: String

        /// Makes new ones.
        public init() {
            token = Self.random()
            session = Self.random()
        }

        /// Takes those that a ``text`` holds; `nil` if it is not one that ``text`` gave.
        public init?(text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0] != parts[1], parts.allSatisfy(Self.isSecret) else { return nil }
            token = parts[0]
            session = parts[1]
        }

        /// Both in one line of ASCII. Whoever knows it can use the console.
        public var text: String { "\(token).\(session)" }

        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        private static let length = 32

        /// 32 characters of 6 bits, from the system's generator.
        static func random() -> String {
            var generator = SystemRandomNumberGenerator()
            return String((0..<length).map { _ in alphabet[Int(generator.next() & 63)] })
        }

        private static func isSecret(_ text: String) -> Bool {
            text.count == length && text.allSatisfy { alphabet.contains($0) }
        }

        /// Whether two texts are the same, in a time that does not depend on where they differ.
        static func isSame(_ left: String, _ right: String) -> Bool {
            let left = Array(left.utf8)
            let right = Array(right.utf8)
            guard left.count == right.count else { return false }
            return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    extension FlagsConsoleSecrets: CustomStringConvertible, CustomReflectable {
        /// Says nothing of what it holds, so that no log does.
        public var description: String { "FlagsConsoleSecrets" }
        /// Shows nothing of what it holds.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
