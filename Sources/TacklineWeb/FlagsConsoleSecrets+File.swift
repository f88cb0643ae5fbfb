#if Web
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Glibc)
        import Glibc
    #endif

    // Foundation: the URL of a file.

    extension FlagsConsoleSecrets {
        /// Takes those that a file holds. If there is no such file, makes new ones and keeps them there, readable by the
        /// user only.
        ///
        /// With the same file, and a ``FlagsConsoleOptions/port`` of your choice, the URL of the console is the same at each
        /// launch, and pages stay signed in.
        ///
        /// - Parameter file: The file. Its folder has to exist.
        /// - Throws: ``FlagsConsoleError`` with ``FlagsConsoleError/Code/unusableSecrets`` if the file cannot be read or
        ///   written, holds something else, or can be read by others. It is never overwritten.
        public init(keptIn file: URL) throws(FlagsConsoleError) {
            if access(file.path, F_OK) != 0, let made = try Self.make(file) {
                self = made
                return
            }
            // The rights alone are asked for: what else `stat` says, Apple wants a reason for.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            guard let rights = attributes?[.posixPermissions] as? Int else {
                throw Self.problem(file, "cannot be read")
            }
            guard rights & 0o077 == 0 else {
                throw Self.problem(file, "can be read by others than its owner; take that right from them (chmod 600)")
            }
            guard let data = try? Data(contentsOf: file), data.count < 1000,
                let text = String(validating: data, as: UTF8.self)
            else { throw Self.problem(file, "cannot be read") }
            guard let kept = FlagsConsoleSecrets(text: text.split(separator: "\n").first.map(String.init) ?? "") else {
                throw Self.problem(file, "holds something else than secrets of a console; remove it, or name another")
            }
            self = kept
        }

        /// Makes secrets and puts them in place whole, so that neither a kill nor another process that starts now leaves half of a
        /// file.
        ///
        /// - Returns: `nil` if somebody else has made the file meanwhile.
        private static func make(_ file: URL) throws(FlagsConsoleError) -> FlagsConsoleSecrets? {
            let made = FlagsConsoleSecrets()
            let draft = "\(file.path).\(random()).new"
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw problem(file, "cannot be made: \(lastError)") }
            defer { _ = unlink(draft) }
            let bytes = Array((made.text + "\n").utf8)
            let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
            let reason = lastError
            _ = close(descriptor)
            guard isWritten else { throw problem(file, "cannot be written: \(reason)") }
            if link(draft, file.path) == 0 { return made }
            guard errno == EEXIST else { throw problem(file, "cannot be made: \(lastError)") }
            return nil
        }

        private static var lastError: String { String(cString: strerror(errno)) }

        private static func problem(_ file: URL, _ what: String) -> FlagsConsoleError {
            FlagsConsoleError(.unusableSecrets, "The file \(file.path) for the console's token \(what).")
        }
    }
#endif
