/// A decoder that turns the bytes from a terminal into keys.
///
/// It understands the sequences of xterm and similar terminals. An unknown sequence is skipped as a whole, so that no
/// part of it is taken for text. Memory is limited for any input.
struct TerminalKeyDecoder: Sendable {
    /// The largest length of pasted text, in bytes.
    static let pasteLimit = 1 << 20
    private static let sequenceLimit = 64

    private enum State {
        case ground
        case escape
        case sequence
        case singleShift
        case text(missing: Int)
        case paste
    }

    private var state = State.ground
    private var pending: [UInt8] = []
    private var isPasteTooLong = false

    /// Whether the last bytes may be an incomplete key. If so, wait briefly and then call ``flush()``.
    var isWaiting: Bool {
        switch state {
        case .ground, .paste: false
        default: true
        }
    }

    /// Decodes bytes and returns the complete keys.
    mutating func consume(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        for byte in bytes {
            switch state {
            case .ground: beginKey(byte, &keys)
            case .escape: continueEscape(byte, &keys)
            case .sequence: continueSequence(byte, &keys)
            case .singleShift:
                state = .ground
                if let key = Self.key(final: byte, parameters: []) { keys.append(key) }
            case .text(let missing): continueText(byte, missing: missing, &keys)
            case .paste: continuePaste(byte, &keys)
            }
        }
        return keys
    }

    /// Ends an incomplete key, since no more bytes arrived. A single escape byte is the escape key.
    mutating func flush() -> [TerminalKey] {
        defer {
            if isWaiting { reset() }
        }
        if case .escape = state { return [.escape] }
        return []
    }

    private mutating func reset() {
        state = .ground
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func beginKey(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: keys.append(.enter)
        case 0x0A: keys.append(.lineFeed)
        case 0x09: keys.append(.tab)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: beginText(byte, missing: 1)
        case 0xE0...0xEF: beginText(byte, missing: 2)
        case 0xF0...0xF4: beginText(byte, missing: 3)
        default: break
        }
    }

    private mutating func beginText(_ byte: UInt8, missing: Int) {
        pending = [byte]
        state = .text(missing: missing)
    }

    private mutating func continueText(_ byte: UInt8, missing: Int, _ keys: inout [TerminalKey]) {
        guard (0x80...0xBF).contains(byte) else {
            reset()
            beginKey(byte, &keys)
            return
        }
        pending.append(byte)
        if missing > 1 {
            state = .text(missing: missing - 1)
            return
        }
        if let text = String(validating: pending, as: UTF8.self), let character = text.first {
            keys.append(.character(character))
        }
        reset()
    }

    private mutating func continueEscape(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch byte {
        case UInt8(ascii: "["):
            state = .sequence
            pending.removeAll(keepingCapacity: true)
        case UInt8(ascii: "O"): state = .singleShift
        case 0x1B: keys.append(.escape)
        case 0x20...0x7F:
            keys.append(.alternate(Character(Unicode.Scalar(byte))))
            reset()
        case 0x0D, 0x0A:
            keys.append(.alternate("\n"))
            reset()
        default:
            keys.append(.escape)
            reset()
            beginKey(byte, &keys)
        }
    }

    /// Continues a control sequence, which consists of parameters and a final byte (ECMA-48, section 5.4).
    private mutating func continueSequence(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        switch byte {
        case 0x20...0x3F where pending.count < Self.sequenceLimit: pending.append(byte)
        case 0x40...0x7E:
            let parameters = pending.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
                Int(String(decoding: $0, as: UTF8.self)) ?? 0
            }
            reset()
            if byte == UInt8(ascii: "~"), parameters.first == 200 {
                state = .paste
                isPasteTooLong = false
            } else if let key = Self.key(final: byte, parameters: parameters) {
                keys.append(key)
            }
        case 0x1B:
            reset()
            state = .escape
        default:
            if pending.count >= Self.sequenceLimit { reset() }
        }
    }

    private mutating func continuePaste(_ byte: UInt8, _ keys: inout [TerminalKey]) {
        pending.append(byte)
        if byte == UInt8(ascii: "~"), pending.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            pending.removeLast(Self.pasteEnd.count)
            keys.append(isPasteTooLong ? .oversizedPaste : .paste(String(decoding: pending, as: UTF8.self)))
            reset()
        } else if pending.count > Self.pasteLimit + Self.pasteEnd.count {
            isPasteTooLong = true
            // The remaining bytes suffice to find the end.
            pending.removeFirst(pending.count - Self.pasteEnd.count)
        }
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private static func key(final: UInt8, parameters: [Int]) -> TerminalKey? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "~"):
            switch parameters.first {
            case 1, 7: .home
            case 4, 8: .end
            case 3: .delete
            case 5: .pageUp
            case 6: .pageDown
            default: nil
            }
        default: nil
        }
    }
}

/// A key that the user pressed, or text that was pasted.
enum TerminalKey: Hashable, Sendable {
    case character(Character)
    /// A letter with the control key, in lower case.
    case control(Character)
    /// A character with the alt key, or right after the escape key.
    case alternate(Character)
    case enter, lineFeed, tab, backTab, escape, backspace, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// Pasted text, from a terminal with "bracketed paste".
    case paste(String)
    /// Pasted text that was too long and was dropped.
    case oversizedPaste
}
