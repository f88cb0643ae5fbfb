package import TacklineFoundation
import TacklineCore

/// The JSON format of snapshots, commands, replies, previews and errors between a browser and its user interfaces.
///
/// Dates are strings in the format of RFC 3339. Equal messages are equal texts, so that a page can compare them.
package enum FlagsBrowserJSON {
    /// The longest message from outside: 4 MiB.
    package static let limit = 4 << 20

    /// Returns a message as JSON.
    package static func data(of message: some Encodable) throws(FlagsBrowserError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            try FlagTimestamp.text(of: date).encode(to: encoder)
        }
        do { return try encoder.encode(message) } catch {
            throw FlagsBrowserError(.unreadableMessage, "A message of the browser cannot be written: \(error).")
        }
    }

    /// Reads a message.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unreadableMessage`` if it is not such a message.
    package static func read<Message: Decodable>(
        _ type: Message.Type, from data: Data
    ) throws(FlagsBrowserError) -> Message {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try Date(encoded: .string(String(from: decoder)))
        }
        do {
            guard data.count <= limit else { throw FlagValueError(expected: "at most 4 MiB", found: "more") }
            return try decoder.decode(type, from: data)
        } catch {
            // Only the path is in the message, since the value may be secret.
            let path = (error as? DecodingError)?.path.map { " at \($0.quoted)" } ?? ""
            throw FlagsBrowserError(
                .unreadableMessage,
                "A message to the browser cannot be read\(path). Use the same version of Tackline at both ends.")
        }
    }
}

extension DecodingError {
    /// The names of the members around the mistake, or `nil` if the text is not JSON.
    fileprivate var path: String? {
        let context: Context? =
            switch self {
            case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let names = context?.codingPath.map(\.stringValue) ?? []
        return names.isEmpty ? nil : names.joined(separator: ".")
    }
}
