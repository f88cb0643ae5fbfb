package import Foundation

// Foundation: `URL` is split into its parts.

/// The rules for redirects: their targets and their header fields.
struct RedirectPolicy {
    let request: HTTPTransportRequest

    /// Returns the header fields for the next hop, or the error that refuses it.
    ///
    /// Origins are compared with that of the request. Once another origin was visited, nothing private is sent any
    /// more, not even on a redirect back. A redirect from http to https on the same host stays in the same origin and
    /// keeps all fields.
    ///
    /// - Parameters:
    ///   - url: The target of the redirect.
    ///   - previous: The source of the redirect, unless it is the URL of the request.
    ///   - hop: The number of the redirect in a row, counted from 1.
    ///   - hasLeftOrigin: Whether another origin was visited before. This function sets it when this hop is the first
    ///     to visit one.
    func headers(
        to url: URL?,
        from previous: URL? = nil,
        hop: Int,
        hasLeftOrigin: inout Bool
    ) -> Result<HTTPTransportHeaders, HTTPTransportError> {
        guard hop <= request.maximumRedirects else {
            let reason = "more than \(request.maximumRedirects) redirects in a row"
            return .failure(HTTPTransportError(.tooManyRedirects, reason: reason))
        }
        guard let url, let target = Origin(url), let source = Origin(request.url) else {
            return .failure(refusal("to something that is neither http nor https", url))
        }
        let last = previous.flatMap { Origin($0) } ?? source
        guard !(last.scheme == "https" && target.scheme == "http") else {
            return .failure(refusal("from https to http", url))
        }
        if target != source, !target.isUpgrade(of: source) { hasLeftOrigin = true }
        guard hasLeftOrigin else { return .success(request.headers) }
        guard request.allowsOtherOrigins, request.body == nil else {
            return .failure(refusal("to another origin", url))
        }
        return .success(request.headers.keeping(HTTPTransportRequest.headersForOtherOrigins))
    }

    private func refusal(_ what: String, _ url: URL?) -> HTTPTransportError {
        let target = url.map { " (\($0.scheme ?? "")://\($0.host() ?? ""))" } ?? ""
        return HTTPTransportError(.redirectRefused, reason: "the server redirects \(what)\(target)")
    }
}

/// The scheme, host and port of an http or https URL (RFC 6454).
package struct Origin: Equatable {
    let scheme: String
    let host: String
    let port: Int

    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
            return nil
        }
        guard scheme == "http" || scheme == "https" else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether the connection is encrypted.
    package var isSafe: Bool { scheme == "https" }

    /// Returns whether this origin is the other origin's host by https.
    func isUpgrade(of other: Origin) -> Bool {
        scheme == "https" && other.scheme == "http" && host == other.host
    }
}
