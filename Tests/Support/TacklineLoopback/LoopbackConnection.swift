/// One connection, which reads one request, answers it, and closes, unless the answer keeps it.
struct LoopbackConnection {
    /// The number of bytes that are read and dropped from a client that keeps sending after its answer.
    private static let drainLimit = 64 * 1024 * 1024

    let socket: LoopbackSocket
    /// The gate that ends all waits when it opens.
    let stopping: LoopbackGate

    /// Serves the connection on the calling thread until it is closed.
    func run(_ respond: (LoopbackRequest) -> LoopbackReply) {
        var isKept = true
        while isKept, let request = read() {
            isKept = false
            switch respond(request) {
            case .response(let response): isKept = socket.transmit(response.bytes) && response.keepsConnection
            case .script(let steps): _ = steps.allSatisfy(perform)
            }
        }
        finish()
    }

    /// Reads the request, and blocks until it is complete. Returns `nil` if the connection ended first, or if this is no
    /// request.
    private func read() -> LoopbackRequest? {
        var bytes: [UInt8] = []
        while let portion = socket.receive() {
            bytes += portion
            // TLS, for example.
            if bytes.first.map({ Character(Unicode.Scalar($0)).isLetter }) == false { return nil }
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            guard var request = LoopbackRequest(head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self)) else {
                return nil
            }
            let length = request.headerValue("Content-Length").flatMap(Int.init) ?? 0
            while bytes.count - end.upperBound < length, let portion = socket.receive() { bytes += portion }
            request.body = Array(bytes[end.upperBound...])
            return request
        }
        return nil
    }

    /// Performs a step. Returns `false` if no step may follow.
    private func perform(_ step: LoopbackStep) -> Bool {
        switch step {
        case .bytes(let bytes): return socket.transmit(bytes)
        case .text(let text): return socket.transmit(Array(text.utf8))
        case .repeatBytes(let bytes, let count): return transmit(bytes, count: count)
        case .waitUntil(let gate):
            gate.block(orUntil: stopping)
            return !stopping.isOpen
        case .open(let gate):
            gate.open()
            return true
        case .waitForClientToClose:
            drain(limit: .max)
            return !stopping.isOpen
        case .reset:
            socket.reset()
            return false
        case .close: return false
        }
    }

    /// Sends copies of the bytes, several at a time if they are short.
    private func transmit(_ bytes: [UInt8], count: Int) -> Bool {
        guard count > 0, !bytes.isEmpty else { return true }
        let copies = min(count, max(1, 64 * 1024 / bytes.count))
        let block = Array(repeatElement(bytes, count: copies).joined())
        for _ in 0..<count / copies {
            guard socket.transmit(block) else { return false }
        }
        return socket.transmit(Array(block.prefix(count % copies * bytes.count)))
    }

    /// Closes the connection in good order. Closing it with unread bytes would make TCP send a reset, which can destroy
    /// the answer on its way. So this waits until the client has closed too (RFC 9112, section 9.6), the drain limit is
    /// reached, or the server stops.
    private func finish() {
        if socket.endTransmission() { drain(limit: Self.drainLimit) }
        socket.dispose()
    }

    private func drain(limit: Int) {
        var dropped = 0
        while dropped < limit, !stopping.isOpen, let bytes = socket.receive() { dropped += bytes.count }
    }
}
