import Foundation
import TacklineFiles

// Foundation: `URL` is the address of documents.

extension RemoteJSONConfiguration {
    /// The shortest time between two polls.
    static let minimumPollInterval = Duration.seconds(30)

    /// Returns the settings that can't be used as they are, each with what the provider does instead.
    ///
    /// - Parameter url: The URL of documents.
    func problems(with url: URL) -> [String] {
        var problems: [String] = []
        if Origin(url) == nil {
            problems.append("the URL has to be one of http or https with a host, so every request fails")
        }
        if let streamURL, Origin(streamURL) == nil {
            problems.append("the stream's URL has to be one of http or https with a host, so there is no stream")
        }
        if pollInterval > .zero, pollInterval < Self.minimumPollInterval {
            let (given, least) = (pollInterval.secondsText, Self.minimumPollInterval.secondsText)
            problems.append("a poll interval of \(given) is too short, so it is \(least)")
        }
        for field in headers.fields {
            guard let reason = Self.refusal(of: field) else { continue }
            problems.append("the header field \"\(field.name.prefix(64))\" is not sent, because \(reason)")
        }
        return problems
    }

    /// The fields of ``headers`` that are sent.
    var effectiveHeaders: HTTPTransportHeaders {
        var result = HTTPTransportHeaders()
        for field in headers.fields where Self.refusal(of: field) == nil {
            result.append(name: field.name, value: field.value)
        }
        return result
    }

    /// The fields that a provider sets itself, or that belong to the connection.
    private static let ownFields: Set<String> = [
        "accept", "connection", "content-length", "host", "if-modified-since", "if-none-match", "last-event-id",
        "transfer-encoding", "user-agent",
    ]

    /// Returns the reason why a field isn't sent: RFC 9110 (5.1, 5.5) forbids it, or the provider sets it.
    private static func refusal(of field: HTTPTransportHeaders.Field) -> String? {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        let isToken = field.name.utf8.allSatisfy {
            marks.contains($0) || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        guard isToken, !field.name.isEmpty else { return "its name has characters that no name may have" }
        guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            return "its value has a line break or another control character"
        }
        return ownFields.contains(field.name.lowercased()) ? "the provider sets it itself" : nil
    }
}
