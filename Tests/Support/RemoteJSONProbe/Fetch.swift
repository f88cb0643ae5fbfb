import Foundation
import TacklineCore
import TacklineRemoteJSON

/// Refreshes once from a URL, and prints what came of it. Behind the URL there may be a file with certificates to trust.
struct Fetch {
    let url: URL
    private let certificates: String?

    init(arguments: ArraySlice<String>) throws {
        guard let url = arguments.first.flatMap({ URL(string: $0) }) else { throw CocoaError(.formatting) }
        self.url = url
        certificates = arguments.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
    }

    func run() async throws {
        var configuration = RemoteJSONProvider.Configuration.forProbes
        // So that only the downgrade can be what is refused.
        configuration.allowsRedirectsToOtherOrigins = true
        #if canImport(FoundationNetworking)
            configuration.transport = CurlTransport(authorities: certificates)
        #endif
        let provider = RemoteJSONProvider(url: url, configuration: configuration)
        do {
            try await provider.refresh()
            print("accepted \(provider.document?.root.keys.sorted() ?? [])")
        } catch {
            print("failed: \(reason(of: error))")
        }
    }
}
