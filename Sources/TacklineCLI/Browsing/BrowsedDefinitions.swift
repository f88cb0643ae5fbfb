#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineLocal
    import TacklineManifest

    /// Flag definitions, each shown as two flags: whether it is enabled, and its default variant.
    final class BrowsedDefinitions: BrowsedFile {
        /// A part of a definition that can be edited.
        enum Part: String, CaseIterable {
            case state, defaultVariant
        }

        /// The flags of a document, in the order of their keys.
        struct Content: Sendable {
            struct Flag: Sendable {
                let key: String
                let isEnabled: Bool
                let defaultVariant: String?
                let variants: [(name: String, value: EncodedFlagValue)]
                let rule: EncodedFlagValue?
            }

            var flags: [Flag] = []
        }

        let path: String
        let name: String
        private let store = FlagProviderStore()
        private let state = Mutex(State())

        private struct State {
            var content = Content()
            var failure: FlagProviderError?
        }

        init(path: String) {
            let url = URL(filePath: path)
            self.path = url.path
            name = url.lastPathComponent
            try? reload()
        }

        /// Returns the key under which a part of a definition is shown. Keys are unique, since each ends with its part.
        static func key(_ flag: String, _ part: Part) -> String { "\(flag)/\(part.rawValue)" }

        var status: FlagProviderStatus { state.withLock { $0.failure.map { .failed($0) } ?? .ready } }
        var types: [String: FlagManifest.ValueType] { flags(title: name).types }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func flags(title: String) -> FileFlags { FileFlags(state.withLock { $0.content }) }

        func reload() throws(FlagProviderError) {
            let content: Content
            do throws(CommandFailure) {
                content = Content(try FlagFile(path: path, as: .flagd).definitions())
            } catch {
                let failure = FlagProviderError(error, of: name)
                state.withLock { $0.failure = failure }
                throw failure
            }
            var values: [String: EncodedFlagValue] = [:]
            for flag in content.flags {
                values[Self.key(flag.key, .state)] = .bool(flag.isEnabled)
                values[Self.key(flag.key, .defaultVariant)] = flag.defaultVariant.map { .string($0) }
            }
            state.withLock { state in
                state.content = content
                state.failure = nil
            }
            store.replaceDocument(with: FlagDocument(values))
        }

        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
            do throws(CommandFailure) {
                try apply(value, for: key.text)
            } catch {
                throw FlagProviderError(error, of: name)
            }
            try reload()
        }

        private func apply(_ value: EncodedFlagValue?, for key: String) throws(CommandFailure) {
            let edit: DefinitionsEdit.Change
            let part: Part
            switch value {
            case nil, .null?:
                throw CommandFailure("A definition has no value to go back to; choose another one")
            case .bool(let isOn)?:
                part = .state
                edit = .state(isEnabled: isOn)
            case .string(let variant)?, .unparsed(let variant)?:
                part = .defaultVariant
                edit = .defaultVariant(variant)
            case let value?: throw CommandFailure("\(value) is neither a state nor a variant")
            }
            let flag = String(key.dropLast(part.rawValue.count + 1))
            guard key == Self.key(flag, part) else { throw CommandFailure("\(key) does not take \(value ?? .null)") }
            _ = try DefinitionsEdit.apply([(flag, edit)], to: path)
        }
    }
#endif
