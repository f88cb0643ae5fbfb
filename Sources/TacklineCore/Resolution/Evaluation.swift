/// A resolution of a flag that runs on the current thread, and the code that it calls at present.
///
/// A computed flag's closure, a provider and a type that decodes its value may read flags, even the one that is being
/// resolved. The resolutions of a thread form a list on its stack, the innermost first. Code that already runs for a
/// flag is not called for it again, and the length of the list is limited, so the stack doesn't overflow. A resolution is
/// synchronous, so the list belongs to the thread and costs no allocation.
package struct Evaluation {
    typealias Pointer = UnsafeMutablePointer<Evaluation>

    private let loader: ObjectIdentifier?
    private let ordinal: Int
    /// The number of the link whose provider is asked, or ``closure``.
    private var called = Evaluation.closure
    private let depth: Int
    private let outer: Pointer?
    /// Whether the flag is inspected, or read for a flag that is. Observers aren't notified of such reads.
    private let isInspection: Bool
    private var isInCycle = false
    /// Whether the code that was called last has read a secret flag.
    private(set) var hasReadSecret = false

    /// The number of the flag's closure. No link has it.
    static let closure: UInt64 = 0
    /// The maximum number of nested resolutions. It keeps the stack of a small thread from overflowing.
    package static let depthLimit = 64

    /// The result of a call.
    enum Result<Success> {
        case success(Success)
        /// The same code already runs for the flag. The ordinals of the cycle begin and end with the flag; -1 stands for
        /// a flag of another loader.
        case cycle([Int])
        /// The closure is part of a cycle that an inner call has found. Its result is ignored, so it makes no difference
        /// which flag of a cycle is read first.
        case partOfCycle
    }

    private static let stack = ThreadPointer()

    private static var innermost: Pointer? {
        get { unsafe stack.value?.assumingMemoryBound(to: Evaluation.self) }
        set { unsafe stack.value = UnsafeMutableRawPointer(newValue) }
    }

    /// Whether the current thread inspects a flag, so that reads of flags are not passed to observers.
    static var isInspecting: Bool { unsafe innermost?.pointee.isInspection ?? false }

    /// Runs a resolution, or returns `nil` if too many are nested.
    ///
    /// - Parameter loader: The loader, or `nil` for a resolution that is in no cycle.
    @inline(__always) static func run<Success>(
        _ loader: LoaderCore?, _ ordinal: Int, isInspection: Bool, _ body: (Pointer) -> Success
    ) -> Success? {
        let outer = unsafe innermost
        let depth = unsafe outer.map { unsafe $0.pointee.depth + 1 } ?? 0
        guard depth < depthLimit else { return nil }
        var evaluation = unsafe Evaluation(
            loader: loader.map { ObjectIdentifier($0) }, ordinal: ordinal, depth: depth, outer: outer,
            isInspection: isInspection || outer?.pointee.isInspection == true)
        return unsafe withUnsafeMutablePointer(to: &evaluation) { evaluation in
            unsafe innermost = evaluation
            defer { unsafe innermost = outer }
            return unsafe body(evaluation)
        }
    }

    /// Calls code that may read flags: the provider of a link, or the closure.
    @inline(__always) static func call<Success>(
        _ number: UInt64, in evaluation: Pointer, _ body: () -> Success
    ) -> Result<Success> {
        if unsafe evaluation.pointee.outer != nil, let cycle = unsafe closeCycle(evaluation, number) {
            return .cycle(cycle)
        }
        unsafe evaluation.pointee.called = number
        unsafe evaluation.pointee.isInCycle = false
        unsafe evaluation.pointee.hasReadSecret = false
        let result = body()
        return unsafe evaluation.pointee.isInCycle ? .partOfCycle : .success(result)
    }

    /// Returns the cycle that a call would close, or `nil` if there is none, and marks the computed flags in it.
    @inline(never) private static func closeCycle(_ evaluation: Pointer, _ number: UInt64) -> [Int]? {
        let (loader, ordinal) = unsafe (evaluation.pointee.loader, evaluation.pointee.ordinal)
        var cycle = [ordinal]
        var next = unsafe evaluation.pointee.outer
        while let other = unsafe next {
            let isSameLoader = unsafe other.pointee.loader == loader
            cycle.append(isSameLoader ? unsafe other.pointee.ordinal : -1)
            if unsafe isSameLoader && other.pointee.ordinal == ordinal && other.pointee.called == number {
                // Only computed flags are marked. A provider in the cycle gives a usable result, from which only the
                // repeated call is missing.
                var part = unsafe evaluation.pointee.outer
                while let marked = unsafe part {
                    if unsafe marked.pointee.called == closure { unsafe marked.pointee.isInCycle = true }
                    unsafe part = marked == other ? nil : marked.pointee.outer
                }
                return cycle.reversed()
            }
            unsafe next = other.pointee.outer
        }
        return nil
    }

    /// Records that a secret flag is read, for all flags whose code reads it.
    static func noteSecret() {
        var next = unsafe innermost
        while let evaluation = unsafe next {
            unsafe evaluation.pointee.hasReadSecret = true
            unsafe next = evaluation.pointee.outer
        }
    }
}
