import TacklineTestSupport

extension SeededGenerator {
    /// A text of up to `length` scalars, ASCII for the most part.
    mutating func text(upTo length: Int) -> String {
        let scalars: [Unicode.Scalar] = ["é", "ß", "漢", "🎈", "\u{0}", "\u{301}"]
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &self) {
            if Int.random(in: 0..<8, using: &self) == 0 {
                text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
            } else {
                text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 32...126, using: &self)))
            }
        }
        return text
    }
}
