#if CommandLine
    import Foundation
    import TacklineCLibrary

    /// The source of a console's token. It is never an argument, which other users and the shell's history can see.
    struct ConsoleToken: Sendable {
        /// The file with the token; `-` is standard input, `nil` is no file.
        let file: String?

        static let variable = "TACKLINE_TOKEN"
        private static let limit = 4096

        /// Returns the error for a token on the command line. Others may have seen it, so it is not used.
        static func refusal(of address: ConsoleAddress) -> CommandFailure {
            CommandFailure(
                """
                A token on the command line is shown to every user of this machine and kept in the shell's history, so it \
                is not taken from there. Run tackline browse \(address.description) and paste the URL or the token when it \
                is asked for, or give it with --token-file or in the variable \(variable).
                """, status: .usage)
        }

        /// Returns the address with the token.
        ///
        /// - Throws: If there is no token, or if it belongs to another console.
        func completed(_ address: ConsoleAddress) throws(CommandFailure) -> ConsoleAddress {
            let text: String
            if let file {
                let input = try InputFile(path: file)
                guard input.bytes.count <= Self.limit else {
                    throw CommandFailure("\(file) is too long to be a token; name the file that has it.")
                }
                text = String(decoding: input.bytes, as: UTF8.self)
            } else if let value = ProcessInfo.processInfo.environment[Self.variable], !value.isEmpty {
                text = value
            } else {
                let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
                guard descriptor >= 0 else {
                    throw CommandFailure(
                        """
                        The console at \(address.description) wants the token that it printed, and there is no terminal to \
                        ask at; give it with --token-file or in the variable \(Self.variable).
                        """)
                }
                defer { close(descriptor) }
                text = try Self.ask("Token of \(address.description) (it is not shown): ", at: descriptor)
            }
            return try Self.completed(address, with: text)
        }

        /// Returns the address with a token, or with the token in a URL that the console printed.
        static func completed(_ address: ConsoleAddress, with text: String) throws(CommandFailure) -> ConsoleAddress {
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            var address = address
            address.token = text
            if text.hasPrefix("http://") {
                let pasted = try ConsoleAddress(text)
                guard pasted.host == address.host, pasted.port == address.port else {
                    throw CommandFailure(
                        "That is the URL of \(pasted.description), and \(address.description) was named; paste the URL of that one."
                    )
                }
                address.token = pasted.token
            }
            guard address.token?.isEmpty == false else {
                throw CommandFailure("No token was given for \(address.description); paste the one that it printed.")
            }
            return address
        }

        /// Asks for a token at a terminal without showing the answer.
        ///
        /// - Parameter descriptor: A terminal. Its settings are restored.
        /// - Throws: If it is not a terminal, or the question cannot be written.
        static func ask(_ question: String, at descriptor: CInt) throws(CommandFailure) -> String {
            var before = termios()
            guard tcgetattr(descriptor, &before) == 0 else {
                throw CommandFailure("There is no terminal to ask at; give the token with --token-file.")
            }
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(descriptor, TCSAFLUSH, &silent)
            defer { tcsetattr(descriptor, TCSAFLUSH, &before) }
            let output = CommandOutput(descriptor: descriptor)
            try output.write(question)
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.count <= limit {
                let count = read(descriptor, &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count <= 0 || byte == 0x0A || byte == 0x0D { break }
                bytes.append(byte)
            }
            // The line feed that ended the answer was not shown either.
            try output.write("\n")
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
