#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A file whose flags can be browsed and edited: values, or flag definitions. Edits keep the layout of everything
    /// else, as `tackline set` and `tackline flag` do.
    ///
    /// Each definition is shown as two flags: whether it is enabled, and its default variant.
    final class BrowsedFile: WritableFlagProvider {
        /// A part of a definition that can be edited.
        enum Part: String, CaseIterable {
            case state, defaultVariant

            /// Returns the key under which the part is shown. Keys are unique, since each ends with its part.
            func key(of flag: String) -> String { "\(flag)/\(rawValue)" }
        }

        /// The path of the file.
        let path: String
        let name: String
        private let content: FlagFile.Content?
        private let store = FlagProviderStore()
        private let state = Mutex(State())

        private struct State {
            var definitions: FlagDefinitions?
            var failure: FlagProviderError?
        }

        /// - Parameter content: The content of the file; `nil` to recognize it from its members.
        init(path: String, content: FlagFile.Content?) {
            let url = URL(filePath: path)
            self.path = url.path
            name = url.lastPathComponent
            self.content = content
            try? reload()
        }

        var status: FlagProviderStatus { state.withLock { $0.failure.map { .failed($0) } ?? .ready } }
        var document: FlagDocument? { store.document }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

        /// Whether the file itself states the types of its flags. Values don't state which other values a flag takes.
        var statesTypes: Bool { content == .flagd }

        /// The current flags.
        var flags: FileFlags {
            state.withLock { $0.definitions }.map { FileFlags($0) } ?? FileFlags(store.document, title: name)
        }

        /// Reads the file and notifies observers of the changes.
        func reload() throws(FlagProviderError) {
            do throws(CommandFailure) {
                let (document, definitions) = try read()
                state.withLock { $0 = State(definitions: definitions) }
                store.replaceDocument(with: document)
            } catch {
                let failure = FlagProviderError(error, of: name)
                state.withLock { $0.failure = failure }
                throw failure
            }
        }

        private func read() throws(CommandFailure) -> (FlagDocument, FlagDefinitions?) {
            // If there is a manifest, the file may be missing. The first edit then creates it.
            guard statesTypes || FileManager.default.fileExists(atPath: path) else { return (FlagDocument(), nil) }
            let file = try FlagFile(path: path, as: content)
            guard statesTypes else { return (file.document, nil) }
            let definitions = try file.definitions()
            var values: [String: EncodedFlagValue] = [:]
            for (key, flag) in definitions.flags {
                values[Part.state.key(of: key)] = .bool(flag.isEnabled)
                values[Part.defaultVariant.key(of: key)] = flag.defaultVariant.map { .string($0) }
            }
            return (FlagDocument(values), definitions)
        }

        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
            do throws(CommandFailure) {
                if statesTypes {
                    _ = try DefinitionsEdit.apply([change(to: value, for: key.text)], to: path)
                } else {
                    _ = try ValueFileEdit([(key, value)], as: content, to: path)
                }
            } catch {
                throw FlagProviderError(error, of: name)
            }
            try reload()
        }

        /// Returns the change of a definition that a value of one of its parts means.
        private func change(
            to value: EncodedFlagValue?, for key: String
        ) throws(CommandFailure) -> (String, DefinitionsEdit.Change) {
            let change: DefinitionsEdit.Change
            let part: Part
            switch value {
            case nil, .null?:
                throw CommandFailure("A definition has no value to go back to; choose another one")
            case .bool(let isOn)?: (part, change) = (.state, .state(isEnabled: isOn))
            case .string(let variant)?, .unparsed(let variant)?:
                (part, change) = (.defaultVariant, .defaultVariant(variant))
            case let value?: throw CommandFailure("\(value) is neither a state nor a variant")
            }
            let flag = String(key.dropLast(part.rawValue.count + 1))
            guard key == part.key(of: flag) else { throw CommandFailure("\(key) does not take \(value ?? .null)") }
            return (flag, change)
        }
    }

    extension FlagProviderError {
        /// Creates the failure of an edit, without the full stop, which the user interface adds.
        fileprivate init(_ failure: CommandFailure, of provider: String) {
            let message = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
            self.init(.unreadable, provider: provider, reason: message)
        }
    }
#endif
