/// Why a request is refused before any handler sees it.
enum LoopbackRequestProblem: Error {
    case malformed(String)
    case headersTooLarge
    case bodyTooLarge

    /// The response that says so.
    var response: LoopbackResponse {
        switch self {
        case .malformed(let reason): .text("Malformed request: \(reason).\n", status: 400)
        case .headersTooLarge: .text("The request line and headers are limited to 64 KiB.\n", status: 431)
        case .bodyTooLarge: .text("The request body is limited to 16 MiB.\n", status: 413)
        }
    }
}
