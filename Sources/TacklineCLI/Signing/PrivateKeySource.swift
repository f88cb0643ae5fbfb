#if CommandLine && (canImport(CryptoKit) || Signing)
    import Foundation
    import TacklineSigning

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Foundation: `ProcessInfo` knows the environment, `FileManager` who may read a file.

    /// Where a private key comes from. Never from the arguments, which every process of the machine can see.
    enum PrivateKeySource: Hashable {
        case file(String)
        case variable(String)
        case standardInput

        /// - Throws: If neither or both are given, or if the key itself is.
        init(file: String?, variable: String?) throws(CommandFailure) {
            switch (file, variable) {
            case ("-"?, nil): self = .standardInput
            case (let path?, nil):
                if DocumentSigningKey(privateText: path) != nil {
                    throw CommandFailure(
                        "A private key is no argument, since every process can see it: give the name of its file, and make a "
                            + "new key in place of this one.", status: .usage)
                }
                self = .file(path)
            case (nil, let name?): self = .variable(name)
            case (nil, nil):
                throw CommandFailure(
                    "It needs a private key: --key <file>, --key - for standard input, or --key-variable <name>.",
                    status: .usage)
            case (_?, _?): throw CommandFailure("Give --key or --key-variable, not both.", status: .usage)
            }
        }

        /// Reads the key.
        ///
        /// - Throws: If it is not there, is no key, or lies in a file that others may read.
        func key() throws(CommandFailure) -> DocumentSigningKey {
            let text: String
            switch self {
            case .file(let path):
                try Self.checkPermissions(path)
                text = String(decoding: try InputFile(path: path).bytes, as: UTF8.self)
            case .standardInput: text = String(decoding: try InputFile(path: "-").bytes, as: UTF8.self)
            case .variable(let name):
                guard let value = ProcessInfo.processInfo.environment[name] else {
                    throw CommandFailure("There is no variable \(name) in the environment.")
                }
                text = value
            }
            guard let key = DocumentSigningKey(privateText: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw CommandFailure("\(self) has no private key, which is what `tackline keygen` writes.")
            }
            return key
        }

        private static func checkPermissions(_ path: String) throws(CommandFailure) {
            let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            // What cannot be asked cannot be read either, which says more.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { return }
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw CommandFailure("\(path) is no file. For another process's output there is --key -.")
            }
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
            guard permissions & 0o077 == 0, owner == geteuid() else {
                throw CommandFailure(
                    "\(path) may be read by others than you, so it is not used: chmod 600 \(path), and make a new key if somebody "
                        + "may have read it.")
            }
        }

        /// Writes a new key to a file that is made for it, for this user alone.
        ///
        /// - Throws: If there is a file of that name already, or it cannot be written.
        static func write(_ key: DocumentSigningKey, to path: String) throws(CommandFailure) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure(path, errno) }
            var bytes = Array("\(key.privateText)\n".utf8)[...]
            var number: CInt = 0
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { writeBytes(descriptor, $0) }
                if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { number = errno; break }
            }
            if number == 0, fsync(descriptor) != 0 { number = errno }
            if close(descriptor) != 0, number == 0 { number = errno }
            guard number == 0 else {
                unlink(path)
                throw failure(path, number)
            }
        }

        private static func failure(_ path: String, _ number: CInt) -> CommandFailure {
            let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
            let advice = number == EEXIST ? "a key is never overwritten, so give another name" : "check the folder"
            return CommandFailure("\(path) cannot be made: \(reason); \(advice).")
        }
    }

    extension PrivateKeySource: CustomStringConvertible {
        var description: String {
            switch self {
            case .file(let path): path
            case .variable(let name): "The variable \(name)"
            case .standardInput: "Standard input"
            }
        }
    }

    /// Outside of the type, whose own `write` would hide the system's.
    private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(descriptor, bytes.baseAddress, bytes.count)
    }
#endif
