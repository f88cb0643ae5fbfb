import TacklineCore

/// An encoder that writes the parts of a value in document order.
///
/// The parameter `level` is the number of containers around a part.
protocol FlagValueVisitor {
    /// Writes a value that isn't a container.
    mutating func visitLeaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError)
    /// Writes the beginning of an array or object with `count` elements or members.
    mutating func beginContainer(isObject: Bool, count: Int, level: Int)
    /// Writes the text that precedes an element or member. The key is `nil` for an element of an array.
    mutating func beginElement(key: String?, isFirst: Bool, level: Int)
    /// Writes the end of an array or object with `count` elements or members.
    mutating func endContainer(isObject: Bool, count: Int, level: Int)
}

extension FlagValueVisitor {
    /// Visits a value and all of its parts. The members of an object are sorted by the bytes of their keys.
    ///
    /// The traversal doesn't recurse, because a level of recursion takes four kilobytes in a debug build, too much for
    /// the stack of a secondary thread.
    ///
    /// - Parameters:
    ///   - value: The value to visit.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects. A value above 512 means 512.
    /// - Throws: ``FlagValueError`` with the path of the first part that the visitor refuses or that is
    ///   nested too deeply.
    mutating func visit(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) {
        var traversal = FlagValueTraversal(maximumDepth: min(maximumDepth, 512))
        do {
            try traversal.visit(value, with: &self)
            while let value = traversal.next(with: &self) {
                try traversal.visit(value, with: &self)
            }
        } catch {
            var error = error
            error.path = traversal.path + error.path
            throw error
        }
    }
}

/// The containers around the current value of a traversal.
private struct FlagValueTraversal {
    private struct Frame {
        /// The elements of an array; empty for an object.
        var elements: [EncodedFlagValue] = []
        /// The sorted members of an object; empty for an array.
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

    /// The path of the value that `next(with:)` returned last.
    var path: [String] {
        frames.map { $0.isObject ? $0.members[$0.next - 1].key : String($0.next - 1) }
    }

    mutating func visit(_ value: EncodedFlagValue, with visitor: inout some FlagValueVisitor) throws(FlagValueError) {
        switch value {
        case .array(let elements):
            try open(Frame(elements: elements, isObject: false), with: &visitor)
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            try open(Frame(members: sorted, isObject: true), with: &visitor)
        default:
            try visitor.visitLeaf(value, level: frames.count)
        }
    }

    private mutating func open(_ frame: Frame, with visitor: inout some FlagValueVisitor) throws(FlagValueError) {
        guard frames.count < maximumDepth else {
            let detail = "arrays and objects are nested more than \(maximumDepth) levels deep; flatten the value"
            throw .encoding(EncodedFlagValue.self, path: [], detail: detail)
        }
        visitor.beginContainer(isObject: frame.isObject, count: frame.count, level: frames.count)
        frames.append(frame)
    }

    /// Ends the containers that are complete and returns the next value, or `nil` at the end of the traversal.
    mutating func next(with visitor: inout some FlagValueVisitor) -> EncodedFlagValue? {
        while let last = frames.indices.last {
            let index = frames[last].next
            if index < frames[last].count {
                frames[last].next += 1
                let key = frames[last].isObject ? frames[last].members[index].key : nil
                visitor.beginElement(key: key, isFirst: index == 0, level: frames.count)
                return frames[last].isObject ? frames[last].members[index].value : frames[last].elements[index]
            }
            let isObject = frames[last].isObject
            frames.removeLast()
            visitor.endContainer(isObject: isObject, count: index, level: frames.count)
        }
        return nil
    }
}
