#if CommandLine
    import TacklineCLibrary
    import TacklineCore
    import TacklineTargeting

    // Foundation's `Data(contentsOf:)` has no size limit and never returns for some devices, so it is not used.

    /// The bytes of a file that the user named.
    struct InputFile {
        /// The path as the user wrote it; `-` is standard input.
        let path: String
        let bytes: [UInt8]

        /// The size limit of a file. The readers' own limits are lower.
        static let limit = 64 << 20

        /// Creates an input from bytes that have already been read.
        init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        /// Reads a file to its end.
        ///
        /// - Throws: If the file does not exist, is a folder, may not be read, or is larger than ``limit``.
        init(path: String) throws(CommandFailure) {
            self.path = path
            let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw InputFile.failure(path, errno) }
            defer { close(descriptor) }
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

        /// Returns the failure for a mistake that makes the file unusable.
        func failure(_ message: String, at position: TextPosition? = nil) -> CommandFailure {
            CommandFailure(Finding(severity: .error, path: path, position: position, message: message))
        }

        /// Reads the file as JSON of any form, for files that hold no flags.
        func json() throws(CommandFailure) -> EncodedFlagValue {
            do {
                return try FlagJSONReader().read(bytes)
            } catch {
                throw failure(error.message, at: TextPosition(line: error.line, column: error.column))
            }
        }

        private static func failure(_ path: String, _ number: CInt) -> CommandFailure {
            let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
            let advice =
                switch number {
                case ENOENT: "check the spelling"
                case EISDIR: "name the files in it"
                case EACCES, EPERM: "give yourself permission to read it"
                case EBADF: "standard input is closed, or was read before"
                case ELOOP: "remove the symbolic links that lead in a circle"
                default: "check the file"
                }
            return CommandFailure("\(path) cannot be read: \(reason); \(advice).")
        }
    }
#endif
