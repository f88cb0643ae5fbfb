public import TacklineCore

/// The JSON format of snapshots, commands, replies, previews and errors between a browser and its user interfaces.
///
/// Dates are strings in the format of RFC 3339. No message is nested deeper than
/// ``/TacklineCore/EncodedFlagValue/maximumDepth`` levels.
public enum FlagsBrowserJSON {
    /// The limits for messages from outside: 4 MiB and 64 levels.
    package static var limits: FlagJSONReader.Limits {
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = 4 << 20
        return limits
    }

    /// Returns a message as JSON on one line.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unreadableMessage`` for a command with a value
    ///   that JSON cannot hold.
    public static func text(of message: some FlagValue) throws(FlagsBrowserError) -> String {
        do throws(FlagValueError) {
            return try FlagJSONWriter(layout: .compact).text(of: message.encoded)
        } catch {
            throw FlagsBrowserError(.unreadableMessage, "A message to the browser cannot be written: \(error).")
        }
    }

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - type: The type of the message.
    ///   - text: The message as JSON.
    ///   - limits: The limits of the reader. Large snapshots from a trusted browser may need higher ones.
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unreadableMessage`` if it is not such a message.
    package static func read<Message: FlagValue>(
        _ type: Message.Type, from text: String, limits: FlagJSONReader.Limits = FlagsBrowserJSON.limits
    ) throws(FlagsBrowserError) -> Message {
        let value: EncodedFlagValue
        do throws(FlagJSONError) {
            value = try FlagJSONReader(limits: limits).read(text)
        } catch {
            throw FlagsBrowserError(
                .unreadableMessage,
                "A message of the browser is not JSON: \(error). Use the same version of Tackline at both ends.",
                line: error.line,
                column: error.column, path: error.path)
        }
        do throws(FlagValueError) {
            return try Message(encoded: value)
        } catch {
            throw FlagsBrowserError(
                .unreadableMessage,
                "A message of the browser cannot be read: \(error). Use the same version of Tackline at both ends.",
                path: error.path)
        }
    }
}
