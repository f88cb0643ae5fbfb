#if CommandLine
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Not Foundation's `Data(contentsOf:)`, which has no limit and reads a device for ever.

    /// The bytes of a file that a person named.
    struct InputFile {
        /// As it was given; `-` is standard input.
        let path: String
        let bytes: [UInt8]

        /// No file of flags is larger; the readers' own limits lie below.
        static let limit = 64 << 20

        /// Makes one from bytes that are at hand.
        init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        /// Reads a file to its end, or to the limit.
        ///
        /// - Throws: If it is not there, is a folder, may not be read, or is too large.
        init(path: String) throws(CommandFailure) {
            self.path = path
            let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw InputFile.failure(path, errno) }
            defer { if path != "-" { close(descriptor) } }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count == 0 { break }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw InputFile.failure(path, errno)
                }
                bytes += chunk[..<count]
                guard bytes.count <= InputFile.limit else {
                    throw CommandFailure("\(path) is larger than \(InputFile.limit >> 20) MiB; split it.")
                }
            }
            self.bytes = bytes
        }

        private static func failure(_ path: String, _ number: CInt) -> CommandFailure {
            let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
            let advice =
                switch number {
                case ENOENT: "check the spelling"
                case EISDIR: "name the files in it"
                case EACCES, EPERM: "give yourself permission to read it"
                case ELOOP: "remove the symbolic links that lead in a circle"
                default: "check the file"
                }
            return CommandFailure("\(path) cannot be read: \(reason); \(advice).")
        }
    }
#endif
