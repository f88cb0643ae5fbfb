#if Web
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    public import TacklineCore
    import TacklineFiles

    // Foundation: the URL of a file.

    extension FlagsConsoleSecrets {
        /// Reads secrets from a file. If the file doesn't exist, creates new secrets and stores them in it, readable by
        /// the user only.
        ///
        /// With the same file and a fixed ``FlagsConsoleOptions/port``, the URL of the console remains the same at each
        /// launch, and pages stay signed in.
        ///
        /// - Parameter file: The file. Its folder is created if necessary.
        /// - Throws: ``/TacklineCore/FlagError`` with the code `unusable-secrets` if the file can't be read or written, has
        ///   other contents, or can be read by others. An existing file is never overwritten.
        public init(keptIn file: URL) throws(FlagError) {
            let stored = StoredFile(file.path, maximumBytes: 1000, permissions: 0o600)
            if (try? stored.bytes()) == .some(nil), let made = try Self.make(stored, file) {
                self = made
                return
            }
            // Only the permissions are read. For other results of `stat`, Apple requires a reason.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            guard let rights = attributes?[.posixPermissions] as? Int else {
                throw Self.problem(file, "cannot be read", "Give this process the right to, or name another")
            }
            guard rights & 0o077 == 0 else {
                throw Self.problem(
                    file, "can be read by others than its owner", "Take that right from them (chmod 600)")
            }
            guard let bytes = try? stored.bytes(), let text = String(validating: bytes, as: UTF8.self) else {
                throw Self.problem(file, "cannot be read", "Give this process the right to, or name another")
            }
            guard let kept = FlagsConsoleSecrets(text: text.split(separator: "\n").first.map(String.init) ?? "") else {
                throw Self.problem(file, "holds something else than secrets of a console", "Remove it, or name another")
            }
            self = kept
        }

        /// Creates secrets in a complete file, so that neither a kill nor another process that starts now leaves a partial
        /// file.
        ///
        /// - Returns: The secrets, or `nil` if another process has created the file meanwhile.
        private static func make(_ file: StoredFile, _ url: URL) throws(FlagError) -> FlagsConsoleSecrets? {
            let made = FlagsConsoleSecrets()
            do {
                return try file.create(with: Array((made.text + "\n").utf8)) ? made : nil
            } catch {
                throw problem(url, "cannot be made: \(error)", "Name one that this process can write")
            }
        }

        private static func problem(_ file: URL, _ what: String, _ advice: String) -> FlagError {
            FlagError(.unusableSecrets, "The file \(file.path) for the console's token \(what). \(advice).")
        }
    }
#endif
