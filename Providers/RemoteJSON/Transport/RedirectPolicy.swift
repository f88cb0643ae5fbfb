#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Foundation: `URL` is taken apart.

/// Decides where a redirect may lead, and with which header fields.
struct RedirectPolicy {
    let request: HTTPTransportRequest

    /// Returns the header fields for the next hop.
    ///
    /// Origins are compared with that of the request, and once another one was visited nothing private is sent any more,
    /// not even on the way back. From http to https on the same host is no other origin but the
    /// same one made safe: it is followed with all fields.
    ///
    /// - Parameters:
    ///   - url: Where the redirect leads.
    ///   - previous: Where the redirect comes from, unless that is the URL of the request.
    ///   - hop: Its number in a row, counted from 1.
    ///   - hasLeftOrigin: Whether another origin was visited before; set when this hop is the first to.
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

/// Scheme, host and port of a URL (RFC 6454), of http and https only.
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

    /// Whether nobody on the way can listen.
    package var isSafe: Bool { scheme == "https" }

    /// Whether this is the other origin's host by https.
    func isUpgrade(of other: Origin) -> Bool {
        scheme == "https" && other.scheme == "http" && host == other.host
    }
}
