#if Web
    /// The secrets that give access to a console: the token of the printed URL, and the session that a browser gets for
    /// it as a cookie. Both have 192 random bits.
    struct ConsoleSecrets: Sendable {
        let token = ConsoleSecrets.random()
        let session = ConsoleSecrets.random()

        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

        /// Returns 32 characters of 6 bits each, from the system's random number generator.
        static func random() -> String {
            var generator = SystemRandomNumberGenerator()
            return String((0..<32).map { _ in alphabet[Int(generator.next() & 63)] })
        }

        /// Returns whether two texts are equal, in a time that doesn't depend on where they differ.
        static func isSame(_ left: String, _ right: String) -> Bool {
            let left = Array(left.utf8)
            let right = Array(right.utf8)
            guard left.count == right.count else { return false }
            return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    /// Hides the secrets from logs.
    extension ConsoleSecrets: CustomStringConvertible, CustomReflectable {
        var description: String { "ConsoleSecrets" }
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
