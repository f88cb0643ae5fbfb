#if CommandLine && (canImport(CryptoKit) || Signing)
    import Foundation
    import TacklineFiles
    import TacklineSigning
    import TacklineCLibrary

    // Foundation: `ProcessInfo` reads the environment, and `FileManager` the permissions of a file.

    /// The source of a private key. It is never an argument, since every process of the machine can read the arguments.
    enum PrivateKeySource: Hashable {
        /// `-` is standard input.
        case file(String)
        case variable(String)

        /// - Throws: If none or two sources are given, or if the argument is a key itself.
        init(file: String?, variable: String?) throws(CommandFailure) {
            switch (file, variable) {
            case (let path?, nil):
                if DocumentSigningKey(privateText: path) != nil {
                    throw CommandFailure(
                        "--key takes the name of a file, because every process can see a key in the arguments. Make a new "
                            + "key in place of this one.", status: .usage)
                }
                self = .file(path)
            case (nil, let name?): self = .variable(name)
            case (nil, nil):
                throw CommandFailure(
                    "Signing needs a private key: --key <file>, --key - for standard input, or --key-variable <name>.",
                    status: .usage)
            case (_?, _?): throw CommandFailure("Give --key or --key-variable, not both.", status: .usage)
            }
        }

        /// Reads the key.
        ///
        /// - Throws: If the key does not exist, is not a private key, or is in a file that other users may read.
        func key() throws(CommandFailure) -> DocumentSigningKey {
            let (text, place): (String, String)
            switch self {
            case .file(let path):
                if path != "-" { try Self.checkPermissions(path) }
                (text, place) = (String(decoding: try InputFile(path: path).bytes, as: UTF8.self), path)
            case .variable(let name):
                guard let value = ProcessInfo.processInfo.environment[name] else {
                    throw CommandFailure(
                        "There is no variable \(name) in the environment; set it, or name a file with --key.")
                }
                (text, place) = (value, "The variable \(name)")
            }
            guard let key = DocumentSigningKey(privateText: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw CommandFailure("\(place) does not hold a private key, as tackline keygen writes it.")
            }
            return key
        }

        private static func checkPermissions(_ path: String) throws(CommandFailure) {
            let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            // A file without attributes cannot be read either, and the reader's error says more.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { return }
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw CommandFailure("\(path) is not a regular file. For the output of another process use --key -.")
            }
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
            guard permissions & 0o077 == 0, owner == geteuid() else {
                throw CommandFailure(
                    "\(path) may be read by others than you, so it is not used: chmod 600 \(path), and make a new key if somebody "
                        + "may have read it.")
            }
        }

        /// Writes a new key to a new file that only this user may read.
        ///
        /// - Throws: If a file of that name exists, or the file cannot be written.
        static func write(_ key: DocumentSigningKey, to path: String) throws(CommandFailure) {
            do throws(FileFailure) {
                let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
                do throws(FileFailure) {
                    try file.write(Array("\(key.privateText)\n".utf8))
                    try file.flush()
                } catch {
                    unlink(path)
                    throw error
                }
            } catch {
                let advice =
                    error.number == EEXIST ? "a key is never overwritten, so give another name" : "check the folder"
                throw CommandFailure("\(path) cannot be made: \(error); \(advice).")
            }
        }
    }
#endif
