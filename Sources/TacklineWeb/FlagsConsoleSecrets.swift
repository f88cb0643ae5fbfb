#if Web
    /// The secrets that give access to a console: the token of the printed URL, and the session that a browser gets for
    /// it as a cookie.
    ///
    /// Both have 192 random bits. By default each console creates its own. To keep pages signed in when the program is
    /// restarted, store the ``text`` where only you can read it, and pass it to the next console.
    public struct FlagsConsoleSecrets: Sendable {
        let token: String
        let session: String

        /// Creates new secrets.
        public init() {
            token = Self.random()
            session = Self.random()
        }

        /// Creates the secrets of a ``text``; `nil` if the text has another format.
        public init?(text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0] != parts[1], parts.allSatisfy(Self.isSecret) else { return nil }
            token = parts[0]
            session = parts[1]
        }

        /// Both secrets on one line of ASCII. Anyone who knows it can use the console.
        public var text: String { "\(token).\(session)" }

        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        private static let length = 32

        /// Returns 32 characters of 6 bits each, from the system's random number generator.
        static func random() -> String {
            var generator = SystemRandomNumberGenerator()
            return String((0..<length).map { _ in alphabet[Int(generator.next() & 63)] })
        }

        private static func isSecret(_ text: String) -> Bool {
            text.count == length && text.allSatisfy { alphabet.contains($0) }
        }

        /// Returns whether two texts are equal, in a time that doesn't depend on where they differ.
        static func isSame(_ left: String, _ right: String) -> Bool {
            let left = Array(left.utf8)
            let right = Array(right.utf8)
            guard left.count == right.count else { return false }
            return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    extension FlagsConsoleSecrets: CustomStringConvertible, CustomReflectable {
        /// The name of the type, without the secrets, so that they don't appear in logs.
        public var description: String { "FlagsConsoleSecrets" }
        /// A mirror without children, so that the secrets don't appear in logs.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
