/// A resolution of a flag that runs on the current thread, and the code that it calls at present.
///
/// A computed flag's closure, a provider and a type that decodes its value may read flags, even the one that is being
/// resolved. The resolutions of a thread form a list on its stack, the innermost first. Code that already runs for a
/// flag is not called for it again. A resolution is synchronous, so the list belongs to the thread and costs no
/// allocation.
package struct Evaluation {
    typealias Pointer = UnsafeMutablePointer<Evaluation>

    private let loader: ObjectIdentifier?
    private let ordinal: Int
    private let outer: Pointer?
    /// Whether the flag is inspected, or read for a flag that is. Observers aren't notified of such reads.
    private let isInspection: Bool
    /// The link whose provider is asked, or `nil` for the flag's closure.
    private var called: ObjectIdentifier?
    /// Whether an inner call has found that the closure is part of a cycle. Its result is then ignored, so it makes no
    /// difference which flag of a cycle is read first.
    private(set) var isInCycle = false
    /// Whether the code that was called last has read a secret flag.
    private(set) var hasReadSecret = false

    private static let stack = ThreadPointer()

    private static func innermost(at place: ThreadPointer.Place? = stack.place) -> Pointer? {
        unsafe place?.pointee?.assumingMemoryBound(to: Evaluation.self)
    }

    /// Whether the current thread inspects a flag, so that reads of flags are not passed to observers.
    static var isInspecting: Bool { unsafe innermost()?.pointee.isInspection ?? false }

    /// Runs a resolution.
    ///
    /// - Parameter loader: The loader, or `nil` for a resolution that is in no cycle.
    @inline(__always) static func run<Success>(
        _ loader: LoaderCore?, _ ordinal: Int, isInspection: Bool, _ body: (Pointer) -> Success
    ) -> Success {
        let place = unsafe stack.place
        let outer = unsafe innermost(at: place)
        var evaluation = unsafe Evaluation(
            loader: loader.map { ObjectIdentifier($0) }, ordinal: ordinal, outer: outer,
            isInspection: isInspection || outer?.pointee.isInspection == true)
        return unsafe withUnsafeMutablePointer(to: &evaluation) { evaluation in
            unsafe place?.pointee = UnsafeMutableRawPointer(evaluation)
            defer { unsafe place?.pointee = UnsafeMutableRawPointer(outer) }
            return unsafe body(evaluation)
        }
    }

    /// Begins a call of code that may read flags: the provider of a link, or the flag's closure.
    ///
    /// - Returns: `nil`, or the cycle that the call would close, so that the code must not be called. Its ordinals begin and
    ///   end with the flag; -1 stands for a flag of another loader.
    @inline(__always) mutating func begin(_ link: FlagChain.Link?) -> [Int]? {
        let code = link.map { ObjectIdentifier($0) }
        if unsafe outer != nil, let cycle = closeCycle(code) { return cycle }
        (called, isInCycle, hasReadSecret) = (code, false, false)
        return nil
    }

    /// Returns the cycle that a call would close, or `nil` if there is none, and marks the computed flags in it.
    @inline(never) private func closeCycle(_ code: ObjectIdentifier?) -> [Int]? {
        var cycle = [ordinal]
        var next = unsafe outer
        while let other = unsafe next {
            let isSameLoader = unsafe other.pointee.loader == loader
            cycle.append(isSameLoader ? unsafe other.pointee.ordinal : -1)
            if unsafe isSameLoader && other.pointee.ordinal == ordinal && other.pointee.called == code {
                // Only computed flags are marked. A provider in the cycle gives a usable result, from which only the
                // repeated call is missing.
                var part = unsafe outer
                while let marked = unsafe part {
                    if unsafe marked.pointee.called == nil { unsafe marked.pointee.isInCycle = true }
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
        var next = unsafe innermost()
        while let evaluation = unsafe next {
            unsafe evaluation.pointee.hasReadSecret = true
            unsafe next = evaluation.pointee.outer
        }
    }
}
