#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
    import Foundation

    // Foundation: `Data` is what clients receive.

    /// What libcurl tells about one request, on the thread that waits for it; used by no other.
    final class CurlAnswer {
        private let exchange: HTTPExchange
        private(set) var lines = HTTPHeaderLines()
        /// Where the server redirects to, if it does.
        private(set) var redirect: String?

        init(_ exchange: HTTPExchange) {
            self.exchange = exchange
        }

        /// Takes a line of the header.
        ///
        /// - Returns: Whether to go on.
        func receive(line: UnsafeBufferPointer<UInt8>) -> Bool {
            let wasComplete = lines.isComplete
            lines.append(line)
            guard lines.byteCount <= HTTPExchange.maximumHeaderBytes else {
                let reason = "the header of the answer has more than \(HTTPExchange.maximumHeaderBytes) bytes"
                exchange.didComplete(HTTPTransportError(.headerTooLarge, reason: reason))
                return false
            }
            guard lines.isComplete, !wasComplete else { return true }
            if [301, 302, 303, 307, 308].contains(lines.status), let location = lines.headers["Location"] {
                redirect = location
                return false
            }
            exchange.didReceiveHead(status: lines.status, headers: lines.headers)
            return true
        }

        /// Takes a portion of the body, decoded.
        ///
        /// - Returns: Whether to go on.
        func receive(body: UnsafeBufferPointer<UInt8>) -> Bool {
            guard lines.isComplete else { return false }
            exchange.didReceive(Data(body))
            return !exchange.isOver
        }

        /// The answer behind a pointer that libcurl was given.
        static func behind(_ pointer: UnsafeMutableRawPointer?) -> CurlAnswer? {
            pointer.map { Unmanaged<CurlAnswer>.fromOpaque($0).takeUnretainedValue() }
        }
    }
#endif
