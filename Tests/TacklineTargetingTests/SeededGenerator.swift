/// A generator whose numbers are the same in every run (SplitMix64; Steele, Lea and Flood, 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

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
