import Foundation
import TacklineCore
import TacklineRemoteJSON

/// Refreshes once from a URL, and prints what came of it. With `URLSession` behind the URL it uses that transport; anything
/// else there is a file with certificates to trust.
struct Fetch {
    let url: URL
    let transport: any HTTPTransport

    init(arguments: ArraySlice<String>) throws {
        guard let url = arguments.first.flatMap({ URL(string: $0) }) else { throw CocoaError(.formatting) }
        self.url = url
        let option = arguments.dropFirst().first ?? ""
        transport = option == "URLSession" ? URLSessionTransport() : Self.transport(trusting: option)
    }

    private static func transport(trusting file: String) -> any HTTPTransport {
        #if canImport(FoundationNetworking)
            if let transport = CurlTransport(authorities: file.isEmpty ? nil : file) { return transport }
        #endif
        return URLSessionTransport()
    }

    func run() async throws {
        var configuration = RemoteJSONProvider.Configuration.forProbes
        // So that only the downgrade can be what is refused.
        configuration.allowsRedirectsToOtherOrigins = true
        configuration.transport = transport
        let provider = RemoteJSONProvider(url: url, configuration: configuration)
        do {
            try await provider.refresh()
            print("accepted \(provider.document?.root.keys.sorted() ?? [])")
        } catch {
            print("failed: \(reason(of: error))")
        }
    }
}
