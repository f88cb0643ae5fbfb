/// Reads lines and counted bytes from a socket through a buffer.
///
/// Each function returns `nil` when the connection ended first.
struct LoopbackByteReader {
    let socket: LoopbackSocket
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: LoopbackSocket) {
        self.socket = socket
    }

    /// Whether bytes have been received which are not read yet.
    var hasBufferedBytes: Bool {
        position < buffer.count
    }

    /// Reads up to the next LF and returns the line without it and without a CR before it.
    ///
    /// - Parameter budget: How many bytes may be read; lowered by those that were.
    mutating func line(budget: inout Int) throws(LoopbackRequestProblem) -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                budget -= end + 1 - position
                guard budget >= 0 else { throw .headersTooLarge }
                var line = Array(buffer[position..<end])
                position = end + 1
                if line.last == UInt8(ascii: "\r") {
                    line.removeLast()
                }
                return line
            }
            guard buffer.count - position < budget else { throw .headersTooLarge }
            let unread = buffer.count - position
            guard fill() else { return nil }
            searched = position + unread
        }
    }

    /// Reads exactly that many bytes and appends them.
    mutating func append(_ count: Int, to bytes: inout [UInt8]) -> Bool {
        var missing = count
        while missing > 0 {
            guard hasBufferedBytes || fill() else { return false }
            let portion = min(missing, buffer.count - position)
            bytes.append(contentsOf: buffer[position..<position + portion])
            position += portion
            missing -= portion
        }
        return true
    }

    private mutating func fill() -> Bool {
        buffer.removeFirst(position)
        position = 0
        return socket.receive(into: &buffer)
    }
}
