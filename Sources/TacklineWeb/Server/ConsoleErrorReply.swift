#if Web
    import TacklineBrowser
    import TacklineCore

    /// The body of an answer that says what went wrong: an object with the member `error`.
    struct ConsoleErrorReply: Codable, FlagValue {
        var error: FlagsBrowserError

        static func response(_ status: Int, _ error: FlagsBrowserError) -> ConsoleResponse {
            do throws(FlagsBrowserError) {
                return .json(status, try FlagsBrowserJSON.text(of: ConsoleErrorReply(error: error)))
            } catch {
                return .plain(ConsoleRequestProblem(500, error.message))
            }
        }

        /// The status of HTTP that comes closest.
        static func status(of error: FlagsBrowserError) -> Int {
            switch error.code {
            case .unknownFlag, .unknownGroup, .unknownDestination: 404
            case .locked, .readOnly, .production, .noDestination: 403
            case .nothingToUndo, .undoConflict, .editConflict: 409
            case .invalidValue, .unreadableBundle: 422
            case .unreadableMessage: 400
            case .connection: 503
            default: 500
            }
        }
    }
#endif
