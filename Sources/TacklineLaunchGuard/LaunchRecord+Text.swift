// The record and the notes as text, a fact a line. Whatever is in a file, reading it doesn't trap, and looks at a bounded
// number of lines.

extension LaunchRecord {
    private static let head = "tackline launches 1"
    /// More lines than a record can have.
    private static let lineLimit = healthyLimit + 2 * valueLimit + 1000

    /// The text of the record. Its last line is a checksum.
    var text: String {
        var lines = [Self.head, "build \(LaunchLine.escaped(build))"]
        lines += healthy.map { hash, slot in "healthy \(LaunchLine.hex(slot)) \(LaunchLine.hex(hash))" }
        lines += heldBack.map { "held \(LaunchLine.text(of: $0))" }
        lines += suspects.map { "suspect \(LaunchLine.text(of: $0.key)) \(LaunchLine.hex(UInt64($0.value)))" }
        lines.append("vain \(LaunchLine.hex(UInt64(deathsInVain)))")
        lines += judged.sorted().map { "judged \(LaunchLine.escaped($0))" }
        let body = lines.joined(separator: "\n") + "\n"
        return body + "end \(LaunchLine.hex(ValueHash.bytes(body.utf8)))\n"
    }

    /// Reads a record, or returns `nil` if the bytes aren't a record that ``text`` wrote.
    init?(bytes: [UInt8]) {
        self.init()
        guard let end = bytes.dropLast().lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = bytes[...end]
        let lines = body.split(separator: UInt8(ascii: "\n"), maxSplits: Self.lineLimit)
        guard lines.count <= Self.lineLimit,
            bytes[(end + 1)...].elementsEqual("end \(LaunchLine.hex(ValueHash.bytes(body)))\n".utf8),
            lines.first?.elementsEqual(Self.head.utf8) == true
        else { return nil }
        for line in lines.dropFirst() {
            let (kind, words) = LaunchLine.words(line)
            switch (kind, words.count) {
            case ("build", 2):
                build = LaunchLine.unescaped(words[1])
            case ("healthy", 3):
                guard let slot = LaunchLine.number(words[1]), let hash = LaunchLine.number(words[2]) else { return nil }
                healthy[hash] = slot
            case ("held", 5):
                guard let value = LaunchLine.value(words) else { return nil }
                heldBack.append(value)
            case ("suspect", 6):
                guard let value = LaunchLine.value(words), let number = LaunchLine.number(words[5]), number <= 1000
                else { return nil }
                suspects[value] = Int(number)
            case ("vain", 2):
                guard let number = LaunchLine.number(words[1]), number <= 1000 else { return nil }
                deathsInVain = Int(number)
            case ("judged", 2):
                judged.insert(LaunchLine.unescaped(words[1]))
            default: return nil
            }
        }
        guard heldBack.count <= Self.valueLimit else { return nil }
    }
}

extension LaunchNotes {
    /// More lines than a file of notes can have.
    private static let lineLimit = LaunchRecord.valueLimit + 64

    /// Reads the file of a launch. A line that was cut off, because the process ended meanwhile, is left out.
    init(bytes: [UInt8]) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.lineLimit, omittingEmptySubsequences: false)
        for line in lines.dropLast() {
            let (kind, words) = LaunchLine.words(line)
            switch (kind, words.count) {
            case ("new", 5):
                if new.count < LaunchRecord.valueLimit, let value = LaunchLine.value(words) { new.insert(value) }
            case ("held", 1): heldBack = true
            case ("healthy", 1): isHealthy = true
            default: break
            }
        }
    }
}

/// The parts of a line.
enum LaunchLine {
    static func new(_ value: LaunchValue) -> String { "new \(text(of: value))\n" }
    static let held = "held\n"
    static let healthy = "healthy\n"

    static func text(of value: LaunchValue) -> String {
        "\(hex(value.slot)) \(hex(value.hash)) \(escaped(value.provider)) \(escaped(value.key))"
    }

    /// Returns the kind of a line and all its words. A longer first word is no kind.
    static func words(_ line: ArraySlice<UInt8>) -> (kind: String, words: [ArraySlice<UInt8>]) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 6, omittingEmptySubsequences: false)
        return (String(decoding: words.first?.prefix(9) ?? [], as: UTF8.self), words)
    }

    /// Reads the words of a line with a value.
    static func value(_ words: [ArraySlice<UInt8>]) -> LaunchValue? {
        guard let slot = number(words[1]), let hash = number(words[2]) else { return nil }
        return LaunchValue(slot: slot, hash: hash, provider: unescaped(words[3]), key: unescaped(words[4]))
    }

    static func hex(_ number: UInt64) -> String { String(number, radix: 16) }

    static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
        text.count > 16 ? nil : UInt64(String(decoding: text, as: UTF8.self), radix: 16)
    }

    /// Returns a name in the length in which it is stored.
    static func stored(_ name: String) -> String { unescaped(Array(escaped(name).utf8)[...]) }

    /// Returns the beginning of a text, without spaces and control characters.
    static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8.prefix(100) {
            if byte > 0x20, byte != 0x25, byte != 0x7F {
                bytes.append(byte)
            } else {
                bytes += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == 0x25, rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
