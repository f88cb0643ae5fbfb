/// The evaluation of one computed flag's closure, or of one provider for one flag, on the current thread.
///
/// Closures and providers may read flags, even the one that they are evaluated for. The evaluations of a thread form a
/// list on its stack, the innermost first. An evaluation that is already in the list closes a cycle, so it isn't run
/// again. The length of the list is limited, so the stack doesn't overflow. An evaluation is synchronous, so the list
/// belongs to the thread and costs no allocation.
package struct Evaluation {
    private let loader: ObjectIdentifier
    private let ordinal: Int
    /// The number of the provider's link, or `nil` for a computed flag.
    private let link: UInt64?
    private var depth = 0
    private var outer: UnsafeMutablePointer<Evaluation>?
    private var isInCycle = false

    /// The maximum number of nested evaluations. It keeps the stack of a small thread from overflowing.
    package static let depthLimit = 64

    package init(loader: ObjectIdentifier, ordinal: Int, link: UInt64?) {
        self.loader = loader
        self.ordinal = ordinal
        self.link = link
    }

    package enum Result<Success> {
        case result(Success)
        /// The evaluation is already running. The ordinals of the cycle begin and end with its flag; -1 stands for a
        /// flag of another loader.
        case cycle([Int])
        /// The evaluation is part of a cycle that an inner one has found. Its result is ignored, so it makes no
        /// difference which flag of a cycle is read first.
        case partOfCycle
        /// Too many evaluations are nested.
        case tooDeep
    }

    /// Runs the evaluation. `body` isn't called if the same evaluation is running.
    @inline(__always) package consuming func run<Success>(_ body: () -> Success) -> Result<Success> {
        outer = unsafe Evaluation.innermost
        if let outer = unsafe outer {
            if let cycle = closeCycle() { return .cycle(cycle) }
            depth = unsafe outer.pointee.depth + 1
            guard depth < Evaluation.depthLimit else { return .tooDeep }
        }
        return unsafe withUnsafeMutablePointer(to: &self) { evaluation in
            unsafe Evaluation.innermost = evaluation
            let result = body()
            unsafe Evaluation.innermost = evaluation.pointee.outer
            return unsafe evaluation.pointee.isInCycle ? .partOfCycle : .result(result)
        }
    }

    /// Returns the cycle that the evaluation closes, or `nil` if there is none, and marks the computed flags in it.
    private func closeCycle() -> [Int]? {
        var cycle = [ordinal]
        var next = unsafe outer
        while let evaluation = unsafe next {
            let other = unsafe evaluation.pointee
            cycle.append(other.loader == loader ? other.ordinal : -1)
            if other.loader == loader, other.ordinal == ordinal, other.link == link {
                // Only computed flags are marked. A provider in the cycle gives a usable result, from which only the
                // repeated evaluation is missing.
                var unmarked = unsafe outer
                while let part = unsafe unmarked {
                    if unsafe part.pointee.link == nil { unsafe part.pointee.isInCycle = true }
                    unsafe unmarked = part == evaluation ? nil : part.pointee.outer
                }
                return cycle.reversed()
            }
            unsafe next = other.outer
        }
        return nil
    }

    private static let stack = ThreadPointer()

    private static var innermost: UnsafeMutablePointer<Evaluation>? {
        get { unsafe stack.value?.assumingMemoryBound(to: Evaluation.self) }
        set { unsafe stack.value = UnsafeMutableRawPointer(newValue) }
    }
}
