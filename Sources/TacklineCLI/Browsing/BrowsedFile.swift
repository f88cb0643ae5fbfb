#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineManifest

    /// A file whose flags can be browsed and edited.
    protocol BrowsedFile: WritableFlagProvider {
        /// Where it is.
        var path: String { get }
        /// What each flag takes, by key, where the file itself says it.
        var types: [String: FlagManifest.ValueType] { get }
        /// Reads the file and announces what differs.
        func reload() throws(FlagProviderError)
        /// The flags as of now.
        func flags(title: String) -> FileFlags
    }

    /// A value file, edited as `tackline set` does it: what is not edited keeps its layout.
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
        /// A value says only what it is now.
        var types: [String: FlagManifest.ValueType] { [:] }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        func flags(title: String) -> FileFlags { FileFlags(store.document, title: title) }

        func reload() throws(FlagProviderError) {
            do throws(CommandFailure) {
                // With a manifest the first edit makes the file.
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
        /// The failure of an edit, without its full stop: what shows it makes a sentence of it.
        init(_ failure: CommandFailure, of provider: String) {
            let message = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
            self.init(.unreadable, provider: provider, reason: message)
        }
    }
#endif
