#if Web
    import TacklineBrowser
    import TacklineCore
    import TacklineHTTP

    /// The body of an error response: an object with the member `error`.
    struct ConsoleErrorReply: Codable, FlagValue {
        var error: FlagsBrowserError

        static func response(_ status: Int, _ error: FlagsBrowserError) -> ConsoleResponse {
            do throws(FlagsBrowserError) {
                return .json(status, try FlagsBrowserJSON.text(of: ConsoleErrorReply(error: error)))
            } catch {
                return .plain(HTTPRequestProblem(500, error.message))
            }
        }

        /// Returns the closest HTTP status.
        static func status(of error: FlagsBrowserError) -> Int {
            switch error.code {
            case .unknownFlag, .unknownGroup, .unknownDestination: 404
            case .locked, .readOnly, .production, .noDestination: 403
            case .nothingToUndo, .undoConflict, .editConflict: 409
            case .invalidValue, .invalidExpiry, .unreadableBundle: 422
            case .unreadableMessage: 400
            case .connection: 503
            default: 500
            }
        }
    }
#endif
