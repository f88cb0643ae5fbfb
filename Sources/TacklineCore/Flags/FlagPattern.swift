/// A pattern of texts: a regular expression whose search takes linear time.
///
/// ```swift
/// import Tackline
///
/// let language = try FlagPattern("[a-z]{2}(-[A-Z]{2})?")
/// print(language.matches("de-AT"), language.matches("deutsch"))  // true false
/// ```
///
/// A pattern always matches a text as a whole. It may have characters, `.`, classes such as `[a-z_]` and `[^"]`, the
/// escapes `\d`, `\w`, `\s`, their opposites, `\t`, `\n`, `\r`, `\u0041` and `\u{1F600}`, groups, alternatives with `|`,
/// the quantifiers `*`, `+`, `?`, `{2}`, `{2,}` and `{2,5}`, and `^` and `$` at its ends and those of its alternatives.
/// It works on Unicode scalars. References back to groups and looks ahead or behind are refused, because a text of a
/// server could keep their search busy for hours.
///
/// The method is K. Thompson's, *Regular Expression Search Algorithm* (Communications of the ACM, 1968): all ways
/// through the pattern are followed at once, so the time is in proportion to the length of the text times that of the
/// pattern.
public struct FlagPattern: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of a text, in Unicode scalars. A longer text doesn't match.
    public static let maximumTextLength = 4096
    /// The maximum number of parts of a pattern after `{2,5}` and the like are written out.
    static let maximumSize = 2000

    /// The pattern as it was given.
    public let text: String
    private let program: [Instruction]

    fileprivate enum Instruction: Sendable, Hashable {
        /// Takes a scalar of the set.
        case take(ScalarSet)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        case match
    }

    fileprivate struct ScalarSet: Sendable, Hashable {
        var ranges: [ClosedRange<UInt32>]
        var isNegated = false

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(scalar.value) } != isNegated
        }
    }

    /// Reads a pattern.
    ///
    /// - Throws: ``FlagPatternError`` if it can't be read, or if it is too large.
    public init(_ text: String) throws(FlagPatternError) {
        self.text = text
        var parser = Parser(text)
        let node = try parser.readAll()
        var compiler = Compiler()
        try compiler.append(node)
        program = compiler.program + [.match]
    }

    /// Returns whether the pattern matches a text as a whole.
    public func matches(_ text: String) -> Bool {
        var current: [Int] = []
        var marks = [Int](repeating: -1, count: program.count)
        add(0, to: &current, &marks, at: 0)
        var position = 0
        for scalar in text.unicodeScalars {
            position += 1
            guard position <= Self.maximumTextLength, !current.isEmpty else { return false }
            var next: [Int] = []
            for index in current {
                if case .take(let set) = program[index], set.contains(scalar) {
                    add(index + 1, to: &next, &marks, at: position)
                }
            }
            current = next
        }
        return current.contains { program[$0] == .match }
    }

    /// Adds an instruction and those that follow it without taking a scalar, each once for a position.
    private func add(_ start: Int, to threads: inout [Int], _ marks: inout [Int], at position: Int) {
        var open = [start]
        while let index = open.popLast() {
            guard marks[index] != position else { continue }
            marks[index] = position
            switch program[index] {
            case .jump(let target): open.append(target)
            case .split(let first, let second): open += [second, first]
            case .take, .match: threads.append(index)
            }
        }
    }

    /// The pattern as it was given.
    public var description: String { text }

    fileprivate indirect enum Node {
        case set(ScalarSet)
        case sequence([Node])
        case alternatives([Node])
        case repeated(Node, minimum: Int, maximum: Int?)
    }

    /// Returns whether two patterns have the same text.
    public static func == (left: FlagPattern, right: FlagPattern) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An error for a pattern that can't be used.
public struct FlagPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, as a clause without a full stop.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}

// MARK: Compiling

private struct Compiler {
    private(set) var program: [FlagPattern.Instruction] = []
    private var count = 0

    mutating func append(_ node: FlagPattern.Node) throws(FlagPatternError) {
        count += 1
        guard count <= FlagPattern.maximumSize else {
            throw FlagPatternError(
                reason: "it has more than \(FlagPattern.maximumSize) parts, counting those that are repeated")
        }
        switch node {
        case .set(let set): program.append(.take(set))
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .alternatives(let nodes):
            var jumps: [Int] = []
            for node in nodes.dropLast() {
                let split = reserve()
                try append(node)
                jumps.append(reserve())
                program[split] = .split(split + 1, program.count)
            }
            if let last = nodes.last { try append(last) }
            for jump in jumps { program[jump] = .jump(program.count) }
        case .repeated(let node, let minimum, let maximum):
            for _ in 0..<minimum { try append(node) }
            guard let maximum else {
                let split = reserve()
                try append(node)
                program.append(.jump(split))
                program[split] = .split(split + 1, program.count)
                return
            }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(reserve())
                try append(node)
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
        }
    }

    /// Appends an instruction that is replaced later, and returns its place.
    private mutating func reserve() -> Int {
        program.append(.match)
        return program.count - 1
    }
}

// MARK: Reading

private struct Parser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private func failure(_ reason: String) -> FlagPatternError {
        FlagPatternError(reason: "\(reason) at character \(position + 1)")
    }

    mutating func readAll() throws(FlagPatternError) -> FlagPattern.Node {
        guard scalars.count <= FlagPattern.maximumSize else {
            throw FlagPatternError(reason: "it has more than \(FlagPattern.maximumSize) characters")
        }
        let node = try readAlternatives()
        guard next == nil else { throw failure("there is a parenthesis without its partner") }
        return node
    }

    private mutating func readAlternatives() throws(FlagPatternError) -> FlagPattern.Node {
        var nodes = [try readSequence()]
        while take("|") { nodes.append(try readSequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func readSequence() throws(FlagPatternError) -> FlagPattern.Node {
        var nodes: [FlagPattern.Node] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if scalar == "^" || scalar == "$" {
                // The whole text has to match, so an anchor at an end says nothing.
                let following = position + 1 < scalars.count ? scalars[position + 1] : "|"
                guard depth == 0, scalar == "^" ? nodes.isEmpty : following == "|" else {
                    throw failure("\"\(scalar)\" is possible only at the ends of the pattern")
                }
                position += 1
                continue
            }
            nodes.append(try readQuantified())
        }
        return .sequence(nodes)
    }

    private mutating func readQuantified() throws(FlagPatternError) -> FlagPattern.Node {
        let node = try readAtom()
        let bounds: (minimum: Int, maximum: Int?)
        switch next {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{": bounds = try readCount()
        default: return node
        }
        position += 1
        // "Lazy" makes no difference where the whole text has to match.
        _ = take("?")
        if let scalar = next, "*+?{".unicodeScalars.contains(scalar) {
            throw failure("a quantifier follows another one")
        }
        return .repeated(node, minimum: bounds.minimum, maximum: bounds.maximum)
    }

    /// Reads `{2}`, `{2,}` or `{2,5}` up to the brace that ends it.
    private mutating func readCount() throws(FlagPatternError) -> (Int, Int?) {
        position += 1
        let minimum = try readNumber()
        var maximum: Int? = minimum
        if take(",") { maximum = next == "}" ? nil : try readNumber() }
        guard next == "}" else { throw failure("a \"}\" is missing") }
        guard minimum <= maximum ?? minimum else { throw failure("the first number is the greater one") }
        return (minimum, maximum)
    }

    private mutating func readNumber() throws(FlagPatternError) -> Int {
        var number: Int?
        while let scalar = next, let digit = scalar.properties.numericType == .decimal ? Int(String(scalar)) : nil {
            number = (number ?? 0) * 10 + digit
            guard number ?? 0 <= FlagPattern.maximumSize else { throw failure("the number is too large") }
            position += 1
        }
        guard let number else { throw failure("a number is missing") }
        return number
    }

    private mutating func readAtom() throws(FlagPatternError) -> FlagPattern.Node {
        guard let scalar = next else { throw failure("something is missing") }
        switch scalar {
        case "(": return try readGroup()
        case "[": return .set(try readClass())
        case ".":
            position += 1
            return .set(FlagPattern.ScalarSet(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true))
        case "\\": return .set(try readEscape())
        case "*", "+", "?", "{":
            throw failure("\"\(scalar)\" has nothing to repeat; write \"\\\(scalar)\" for the character")
        default:
            position += 1
            return .set(.one(scalar))
        }
    }

    private mutating func readGroup() throws(FlagPatternError) -> FlagPattern.Node {
        position += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { throw failure("more than 50 groups are inside each other") }
        if take("?") {
            if take("<") || (take("P") && take("<")) {
                guard next != "=", next != "!" else { throw failure("a look behind isn't possible") }
                while let scalar = next, scalar != ">" { position += scalar == ")" ? scalars.count : 1 }
                guard take(">") else { throw failure("a \">\" is missing") }
            } else if !take(":") {
                throw failure("only groups that begin with \"(\", \"(?:\" or \"(?<name>\" are possible")
            }
        }
        let node = try readAlternatives()
        guard take(")") else { throw failure("a \")\" is missing") }
        return node
    }

    private mutating func readClass() throws(FlagPatternError) -> FlagPattern.ScalarSet {
        position += 1
        var set = FlagPattern.ScalarSet(ranges: [])
        let isNegated = take("^")
        while let scalar = next, scalar != "]" {
            let first = try readMember(scalar)
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.ranges += first.ranges
                continue
            }
            position += 1
            let last = try readMember(scalars[position])
            guard let lower = first.single, let upper = last.single, lower <= upper else {
                throw failure("the range of the class has no order")
            }
            set.ranges.append(lower...upper)
        }
        guard take("]") else { throw failure("a \"]\" is missing") }
        guard !set.ranges.isEmpty else { throw failure("the class is empty") }
        set.isNegated = isNegated
        return set
    }

    private mutating func readMember(_ scalar: Unicode.Scalar) throws(FlagPatternError) -> FlagPattern.ScalarSet {
        if scalar == "[" { throw failure("a class inside a class isn't possible; write \"\\[\" for the character") }
        guard scalar == "\\" else {
            position += 1
            return .one(scalar)
        }
        let set = try readEscape()
        // The opposite of a class, inside a class.
        return set.isNegated ? set.written : set
    }

    private mutating func readEscape() throws(FlagPatternError) -> FlagPattern.ScalarSet {
        position += 1
        guard let scalar = next else { throw failure("a character is missing after \"\\\"") }
        position += 1
        switch scalar {
        case "d", "D": return FlagPattern.ScalarSet(ranges: [0x30...0x39], isNegated: scalar == "D")
        case "w", "W":
            return FlagPattern.ScalarSet(
                ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A], isNegated: scalar == "W")
        case "s", "S":
            return FlagPattern.ScalarSet(
                ranges: [0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x2028...0x2029], isNegated: scalar == "S")
        case "t": return .one("\t")
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "u": return try readScalar(digits: 4)
        case "U": return try readScalar(digits: 8)
        case "x": return try readScalar(digits: 2)
        default:
            guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
                position -= 1
                throw failure("\"\\\(scalar)\" isn't possible")
            }
            return .one(scalar)
        }
    }

    /// Reads the hexadecimal digits of a scalar, a fixed number of them or in braces.
    private mutating func readScalar(digits: Int) throws(FlagPatternError) -> FlagPattern.ScalarSet {
        let isBraced = take("{")
        var text = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, text.utf8.count < (isBraced ? 8 : digits) {
            text.unicodeScalars.append(scalar)
            position += 1
        }
        guard !isBraced || take("}"), isBraced || text.utf8.count == digits, let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw failure("the number of a character is wrong") }
        return .one(scalar)
    }
}

extension FlagPattern.ScalarSet {
    fileprivate static func one(_ scalar: Unicode.Scalar) -> Self { Self(ranges: [scalar.value...scalar.value]) }

    /// The value of the only scalar, or `nil` if there are several.
    fileprivate var single: UInt32? {
        guard !isNegated, ranges.count == 1, let range = ranges.first, range.count == 1 else { return nil }
        return range.lowerBound
    }

    /// The same scalars without negation. The ranges are in order and apart.
    fileprivate var written: Self {
        var (gaps, start): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...(range.lowerBound - 1)) }
            start = range.upperBound + 1
        }
        gaps.append(start...0x10FFFF)
        return Self(ranges: gaps)
    }
}
