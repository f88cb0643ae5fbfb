#if Web
    /// Puts a request together from the bytes of a connection.
    ///
    /// It takes the part of HTTP/1.1 (RFC 9112) that browsers use, and refuses whatever two readers could understand in two
    /// ways: folded lines, blanks before a colon, a second `Host` or `Content-Length`, bodies in chunks. It never holds more
    /// bytes than the limits allow, one portion aside.
    struct ConsoleRequestReader: Sendable {
        private let limits: FlagsConsoleLimits
        private let takesBody: @Sendable (ConsoleRequest) -> Bool
        private var bytes: [UInt8] = []
        /// How far the search for the end of the head has come.
        private var searched = 0
        private var head: (request: ConsoleRequest, bodyLength: Int)?

        /// - Parameter takesBody: Whether the body of a request is read, once its head is there. Clients who
        ///   are refused anyway cannot fill the memory then.
        init(limits: FlagsConsoleLimits, takesBody: @escaping @Sendable (ConsoleRequest) -> Bool = { _ in true }) {
            self.limits = limits
            self.takesBody = takesBody
        }

        /// Takes the next bytes.
        ///
        /// - Returns: The request once it is complete, `nil` before. Bytes behind it are dropped: a connection carries one
        ///   request.
        mutating func append(_ portion: some Collection<UInt8>) throws(ConsoleRequestProblem) -> ConsoleRequest? {
            bytes += portion
            if head == nil {
                guard let end = endOfHead() else {
                    guard bytes.count <= limits.maximumHeaderBytes else { throw headTooLong }
                    return nil
                }
                guard end <= limits.maximumHeaderBytes else { throw headTooLong }
                let parser = ConsoleHeadParser(maximumFields: limits.maximumHeaderFields)
                let request = try parser.parse(bytes[..<end])
                let length = try bodyLength(of: request)
                head = (request, takesBody(request) ? length : 0)
                bytes.removeFirst(end)
            }
            guard let head, bytes.count >= head.bodyLength else { return nil }
            var request = head.request
            request.body = Array(bytes.prefix(head.bodyLength))
            return request
        }

        /// Whether the client waits to be told that it may send its body (RFC 9110, section 10.1.1).
        var isWaitedFor: Bool {
            guard let head else { return false }
            return bytes.isEmpty && head.bodyLength > 0
                && head.request.headers["expect"]?.lowercased() == "100-continue"
        }

        private var headTooLong: ConsoleRequestProblem {
            ConsoleRequestProblem(
                431,
                "The head of a request may have \(limits.maximumHeaderBytes) bytes. Delete the cookies of this host.")
        }

        /// Where the empty line ends that ends the head.
        private mutating func endOfHead() -> Int? {
            // Lines that end with LF alone are refused later, and so get an answer.
            var index = max(searched - 2, 0)
            while index + 1 < bytes.count {
                if bytes[index] == 10 {
                    if bytes[index + 1] == 10 { return index + 2 }
                    if index + 2 < bytes.count, bytes[index + 1] == 13, bytes[index + 2] == 10 { return index + 3 }
                }
                index += 1
            }
            searched = bytes.count
            return nil
        }

        private func bodyLength(of request: ConsoleRequest) throws(ConsoleRequestProblem) -> Int {
            if request.headers["transfer-encoding"] != nil {
                throw ConsoleRequestProblem(501, "Bodies have to come with a Content-Length.")
            }
            guard let text = request.headers["content-length"] else {
                if request.method == "POST" {
                    throw ConsoleRequestProblem(411, "A body has to come with a Content-Length.")
                }
                return 0
            }
            guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
                throw ConsoleRequestProblem(400, "The Content-Length is no number.")
            }
            // More digits than an Int has are too long as well.
            guard let length = Int(text), length <= limits.maximumBodyBytes else {
                throw ConsoleRequestProblem(413, "The body of a request may have \(limits.maximumBodyBytes) bytes.")
            }
            return length
        }
    }
#endif
