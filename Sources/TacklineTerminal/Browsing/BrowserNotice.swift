/// What was said last.
struct BrowserNotice: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case done, hint, failure
    }

    var kind: Kind
    /// As it came, so to be made safe before it is shown.
    var text: String
}
