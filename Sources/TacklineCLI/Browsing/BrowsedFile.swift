#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineManifest

    /// A file whose flags can be browsed and edited.
    protocol BrowsedFile: WritableFlagProvider {
        /// The path of the file.
        var path: String { get }
        /// The type of each flag by its key, as far as the file itself states it.
        var types: [String: FlagManifest.ValueType] { get }
        /// Reads the file and notifies observers of the changes.
        func reload() throws(FlagProviderError)
        /// Returns the current flags.
        func flags(title: String) -> FileFlags
    }

    /// A value file. Edits keep the layout of everything else, as `tackline set` does.
    final class BrowsedValues: BrowsedFile {
        let path: String
        let name: String
        private let content: FlagFile.Content?
        private let store = FlagProviderStore()
        private let failure = Mutex<FlagProviderError?>(nil)

        init(path: String, content: FlagFile.Content?) {
            let url = URL(filePath: path)
            self.path = url.path
            name = url.lastPathComponent
            self.content = content
            try? reload()
        }

        var status: FlagProviderStatus { failure.withLock { $0.map { .failed($0) } ?? .ready } }
        var document: FlagDocument? { store.document }
        /// The types are empty, since a file's values don't state which other values a flag takes.
        var types: [String: FlagManifest.ValueType] { [:] }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func flags(title: String) -> FileFlags { FileFlags(store.document, title: title) }

        func reload() throws(FlagProviderError) {
            do throws(CommandFailure) {
                // If there is a manifest, the file may be missing. The first edit then creates it.
                let isThere = FileManager.default.fileExists(atPath: path)
                let new = isThere ? try FlagFile(path: path, as: content).document : FlagDocument()
                failure.withLock { $0 = nil }
                store.replaceDocument(with: new)
            } catch {
                let error = FlagProviderError(error, of: name)
                failure.withLock { $0 = error }
                throw error
            }
        }

        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
            do throws(CommandFailure) {
                _ = try ValueFileEdit.apply([(key.text, value)], separator: key.separator, as: content, to: path)
            } catch {
                throw FlagProviderError(error, of: name)
            }
            try reload()
        }
    }

    extension FlagProviderError {
        /// Creates the failure of an edit, without the full stop, which the user interface adds.
        init(_ failure: CommandFailure, of provider: String) {
            let message = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
            self.init(.unreadable, provider: provider, reason: message)
        }
    }
#endif
