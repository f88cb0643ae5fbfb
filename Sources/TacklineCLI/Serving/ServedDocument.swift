#if CommandLine
    import Synchronization
    import TacklineCore
    import TacklineFiles
    import TacklineRemoteJSON

    /// The document that is served: the last usable content of a file.
    final class ServedDocument: Sendable {
        /// A usable content of the file.
        struct Version: Sendable {
            /// The bytes that are served, which are JSON.
            let bytes: [UInt8]
            /// The entity tag of the bytes, which a restart does not change (RFC 9110, section 8.8.3).
            let entityTag: String
            let values: FlagDocument
        }

        /// The result of reading the file again.
        enum Reading: Sendable, Equatable {
            case same
            /// The changed values; empty if only the layout changed, or if the file is usable again.
            case changed([FlagProviderChange])
            /// The reason why the file cannot be used, for people. The last version stays served.
            case broken(String)
        }

        let path: String
        private let state: Mutex<State>

        private struct State {
            var version: Version
            /// The problem at the last reading, kept so that it is reported only once.
            var problem: String?
        }

        /// Reads the file for the first time.
        ///
        /// - Throws: If the file cannot be read or used.
        init(path: String) throws(CommandFailure) {
            self.path = path
            state = Mutex(State(version: try Self.read(path)))
        }

        var current: Version { state.withLock { $0.version } }

        /// Reads the file again.
        func reload() -> Reading {
            let result: Result<Version, CommandFailure>
            do throws(CommandFailure) {
                result = .success(try Self.read(path))
            } catch {
                result = .failure(error)
            }
            return state.withLock { state in
                switch result {
                case .failure(let failure):
                    guard state.problem != failure.message else { return .same }
                    state.problem = failure.message
                    return .broken(failure.message)
                case .success(let version):
                    let wasBroken = state.problem != nil
                    state.problem = nil
                    guard version.entityTag != state.version.entityTag else { return wasBroken ? .changed([]) : .same }
                    let changes = version.values.changes(from: state.version.values)
                    state.version = version
                    return .changed(changes)
                }
            }
        }

        private static func read(_ path: String) throws(CommandFailure) -> Version {
            // A signed document is served as it is.
            let input = try InputFile(path: path)
            let file = try FlagFile(input, as: .values)
            if FlagFile.content(of: file.members) == .flagd { _ = try FlagFile(input).definitions() }
            let bytes =
                file.format == .json ? file.input.bytes : Array(try JSONReport.text(of: .object(file.members)).utf8)
            // By default an app refuses what is larger.
            let limit = RemoteJSONProvider.Configuration().maximumBodyBytes
            guard bytes.count <= limit else {
                throw CommandFailure("\(path) has more than \(limit.byteText), the maximumBodyBytes of apps; split it.")
            }
            let values = FlagDocument(file.members.filter { !$0.key.hasPrefix("$") })
            return Version(bytes: bytes, entityTag: entityTag(of: bytes), values: values)
        }

        /// Returns an entity tag from the length and a hash (FNV-1a, 64 bits, by Fowler, Noll and Vo), which is enough
        /// to distinguish the versions of one file.
        private static func entityTag(of bytes: [UInt8]) -> String {
            let hash = bytes.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return "\"\(String(bytes.count, radix: 36))-\(String(hash, radix: 36))\""
        }
    }
#endif
