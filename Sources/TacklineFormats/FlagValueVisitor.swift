import TacklineCore

/// What a writer does with the parts of a value, in the order in which they are written.
protocol FlagValueVisitor {
    /// Writes a value that has no parts.
    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError)
    /// Begins an array or object of so many parts.
    mutating func begin(isObject: Bool, count: Int, level: Int)
    /// Comes before each element, and each member with its key.
    mutating func part(key: String?, isFirst: Bool, level: Int)
    /// Ends an array or object of so many parts.
    mutating func end(isObject: Bool, count: Int, level: Int)
}

extension FlagValueVisitor {
    /// Goes through a value, members sorted by the bytes of their keys, on a stack of its own.
    ///
    /// Recursion would take four kilobytes a level in a debug build, too much for the stack of a secondary thread.
    ///
    /// - Parameter maximumDepth: How many levels deep arrays and objects may be nested.
    /// - Throws: ``/TacklineCore/FlagValueError`` with the path of what the visitor refuses or what is nested too
    ///   deeply.
    mutating func visit(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) {
        var walk = FlagValueWalk(maximumDepth: min(maximumDepth, FlagJSONParser.greatestDepth))
        do {
            try walk.visit(value, with: &self)
            while let value = walk.next(with: &self) {
                try walk.visit(value, with: &self)
            }
        } catch {
            var error = error
            error.path = walk.path + error.path
            throw error
        }
    }
}

/// The arrays and objects that a visitor is in.
private struct FlagValueWalk {
    private struct Frame {
        /// At least one of `elements` and `members` is empty.
        var elements: [EncodedFlagValue] = []
        var members: [(key: String, value: EncodedFlagValue)] = []
        let isObject: Bool
        var next = 0

        var count: Int { elements.count + members.count }
    }

    let maximumDepth: Int
    private var frames: [Frame] = []

    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// Where the value is that was visited last, if it was a leaf.
    var path: [String] {
        frames.map { $0.isObject ? $0.members[$0.next - 1].key : String($0.next - 1) }
    }

    mutating func visit(_ value: EncodedFlagValue, with visitor: inout some FlagValueVisitor) throws(FlagValueError) {
        switch value {
        case .array(let elements):
            try open(Frame(elements: elements, isObject: false), with: &visitor)
        case .object(let members):
            let sorted = members.sorted { $0.key.precedesByBytes($1.key) }
            try open(Frame(members: sorted, isObject: true), with: &visitor)
        default:
            try visitor.leaf(value, level: frames.count)
        }
    }

    private mutating func open(_ frame: Frame, with visitor: inout some FlagValueVisitor) throws(FlagValueError) {
        guard frames.count < maximumDepth else {
            let detail = "arrays and objects are nested more than \(maximumDepth) levels deep; flatten the value"
            throw .encoding(EncodedFlagValue.self, path: [], detail: detail)
        }
        visitor.begin(isObject: frame.isObject, count: frame.count, level: frames.count)
        frames.append(frame)
    }

    /// The value to visit next, after closing what is finished; `nil` at the end.
    mutating func next(with visitor: inout some FlagValueVisitor) -> EncodedFlagValue? {
        while let last = frames.indices.last {
            let index = frames[last].next
            if index < frames[last].count {
                frames[last].next += 1
                let key = frames[last].isObject ? frames[last].members[index].key : nil
                visitor.part(key: key, isFirst: index == 0, level: frames.count)
                return frames[last].isObject ? frames[last].members[index].value : frames[last].elements[index]
            }
            let isObject = frames[last].isObject
            frames.removeLast()
            visitor.end(isObject: isObject, count: index, level: frames.count)
        }
        return nil
    }
}
