/// The style of a cell.
struct TerminalStyle: Hashable, Sendable {
    /// A color of the terminal's own palette, which suits the user's background.
    enum Color: Int, Hashable, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
    }

    var color: Color?
    var isBold = false
    var isDim = false
    var isUnderlined = false
    var isReversed = false

    static let plain = TerminalStyle()
    static let bold = TerminalStyle(isBold: true)
    static let dim = TerminalStyle(isDim: true)
    static let reversed = TerminalStyle(isReversed: true)

    static func color(_ color: Color, isBold: Bool = false) -> TerminalStyle {
        TerminalStyle(color: color, isBold: isBold)
    }

    /// Returns the control sequence that sets exactly this style (ECMA-48, section 8.3.117).
    func sequence(hasColor: Bool) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isUnderlined { codes.append("4") }
        if isReversed { codes.append("7") }
        if hasColor, let color { codes.append("\(color.rawValue)") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}
