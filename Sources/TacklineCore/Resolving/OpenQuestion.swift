#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A question that a thread is about to answer, by a computed flag's closure or by a provider. Both may read flags
/// themselves, and among them the one that they are asked for.
///
/// The open questions of a thread form a list on its stack, innermost first. A question that is in the list already
/// closes a circle: it is not asked again, and neither is one under too many others, so the stack cannot overflow. All
/// of it is synchronous, so the list belongs to the thread; it costs a read no allocation.
package struct OpenQuestion {
    /// Identifies the loader.
    private let owner: ObjectIdentifier
    /// The number of the flag.
    private let ordinal: Int
    /// The number of the provider's link; `nil` for a computed flag.
    private let link: UInt64?
    private var depth = 0
    private var outer: UnsafeMutablePointer<OpenQuestion>?
    /// Whether the question turned out to be a part of a circle.
    private var isInCircle = false

    /// How many questions may wait for each other. It keeps the stack of a small thread from overflowing.
    package static let depthLimit = 64

    package init(owner: ObjectIdentifier, ordinal: Int, link: UInt64?) {
        self.owner = owner
        self.ordinal = ordinal
        self.link = link
    }

    /// How a question ended.
    package enum Reply<Answer> {
        case answer(Answer)
        /// The question waits for itself: the flags from it round to it again, -1 for one of another loader.
        case circle([Int])
        /// The question is a part of a circle that another one found. What was answered does not count, so that it
        /// makes no difference which flag of a circle is read first.
        case partOfCircle
        /// Too many questions wait for each other.
        case tooDeep
    }

    /// Answers the question by a closure, which is not called if the question is open already.
    package consuming func answered<Answer>(by answer: () -> Answer) -> Reply<Answer> {
        outer = OpenQuestion.innermost
        if let outer = outer {
            if let circle = closeCircle() { return .circle(circle) }
            depth = outer.pointee.depth + 1
            guard depth < OpenQuestion.depthLimit else { return .tooDeep }
        }
        return withUnsafeMutablePointer(to: &self) { question in
            OpenQuestion.innermost = question
            let result = answer()
            OpenQuestion.innermost = question.pointee.outer
            return question.pointee.isInCircle ? .partOfCircle : .answer(result)
        }
    }

    /// Looks for the same question among those that wait, and marks every computed flag of the circle.
    private func closeCircle() -> [Int]? {
        var circle = [ordinal]
        var next = outer
        while let question = next {
            let other = question.pointee
            circle.append(other.owner == owner ? other.ordinal : -1)
            if other.owner == owner, other.ordinal == ordinal, other.link == link {
                // A provider's answer stands: only the question that it asked in turn is left out.
                var unmarked = outer
                while let part = unmarked {
                    if part.pointee.link == nil { part.pointee.isInCircle = true }
                    unmarked = part == question ? nil : part.pointee.outer
                }
                return circle.reversed()
            }
            next = other.outer
        }
        return nil
    }

    // MARK: The list of the thread

    /// The key of the thread's list. Making one fails only where a program has used them all up; circles then end where
    /// the stack does.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var innermost: UnsafeMutablePointer<OpenQuestion>? {
        get { pthread_getspecific(key)?.assumingMemoryBound(to: OpenQuestion.self) }
        set { pthread_setspecific(key, newValue) }
    }
}
