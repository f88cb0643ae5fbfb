import Synchronization

/// Finds the values of a loader's flags by the law (``FlagQuestion/forEachStep(_:)``), and reports what goes wrong.
///
/// It has what the answers are made from: the chain, the holds and the changed defaults. Safe from any thread; nothing is
/// locked while foreign code runs.
package final class FlagResolver: Sendable {
    /// The root collection, for computed flags. It is made of pointers to slots and keeps no loader alive.
    package let root: any Sendable
    package let rootType: ObjectIdentifier
    package let keyPaths: [FlagKeyPath]
    package let reporter: FlagIssueReporter
    package let defaults = ChangedFlagDefaults()
    package let holds = FlagHolds()
    let refusals = RefusedFlagValues()
    private let installed = Mutex(FlagChain(links: [], given: .empty, revision: 0))

    package init(root: any Sendable, keyPaths: [FlagKeyPath], reporter: FlagIssueReporter) {
        self.root = root
        rootType = ObjectIdentifier(type(of: root))
        self.keyPaths = keyPaths
        self.reporter = reporter
    }

    /// The chain in force.
    @inline(never) package var chain: FlagChain { installed.withLock { $0 } }

    /// Puts a chain in force. Readers see the old one or the new one, never a mixture.
    ///
    /// - Parameters:
    ///   - known: The chain that it was made from. If another is in force by now, that one stays.
    ///   - mark: Marks all flags, under the lock.
    /// - Returns: The chain that was replaced, to be let go of where nothing is locked; `nil` if none was.
    @inline(never) package func install(_ chain: FlagChain, over known: FlagChain, mark: () -> Void) -> FlagChain? {
        let old = installed.withLock { installed -> FlagChain? in
            guard installed === known else { return nil }
            let old = installed
            installed = chain
            mark()
            return old
        }
        if old != nil { refusals.forget(exceptOf: Set(chain.links.map(\.id))) }
        return old
    }

    // MARK: Readings of the law

    /// A question about one flag.
    ///
    /// - Parameters:
    ///   - purpose: Whether providers are asked for a value to use.
    ///   - isLive: Whether to answer as if nothing were held, and outside of every scope.
    ///   - chain: The chain to ask; `nil` for the one in force.
    package func question(
        _ declaration: FlagDeclaration, _ ordinal: Int, for purpose: FlagQuestion.Purpose = .look,
        isLive: Bool = false, in chain: FlagChain? = nil
    ) -> FlagQuestion {
        FlagQuestion(
            resolver: self, declaration: declaration, ordinal: ordinal, chain: chain ?? self.chain, purpose: purpose,
            isLive: isLive)
    }

    /// A usable step and its value.
    package struct Finding {
        package let step: FlagStep
        package let value: ErasedFlagValue
        /// Whether this step and those before it answer the same until a change is told.
        package let isLasting: Bool
    }

    /// Returns the first usable step, reporting what is refused before it. The parameters are those of a question.
    @inline(never) package func finding(
        _ declaration: FlagDeclaration, _ ordinal: Int, for purpose: FlagQuestion.Purpose = .look,
        isLive: Bool = false, in chain: FlagChain? = nil
    ) -> Finding {
        var found: Finding?
        takeFirst(of: question(declaration, ordinal, for: purpose, isLive: isLive, in: chain)) {
            found = Finding(step: $0, value: $1, isLasting: $2)
        }
        let value = declaration.defaultValue
        return found ?? Finding(step: .fallback(value), value: value, isLasting: false)
    }

    /// Returns the first usable value, to be used.
    @inline(never) func answer(_ declaration: FlagDeclaration, _ ordinal: Int) -> FlagAnswer {
        var answer: FlagAnswer?
        takeFirst(of: question(declaration, ordinal, for: .use)) { answer = FlagAnswer($0, $1, $2, declaration) }
        return answer ?? FlagAnswer(value: declaration.defaultValue, encoded: nil, isLasting: false)
    }

    /// Hands out the first usable step, its value, and whether it and those before it answer the same until a change is
    /// told. Always finds one: the last step, the default, has a value.
    private func takeFirst(of question: FlagQuestion, _ take: (FlagStep, ErasedFlagValue, Bool) -> Void) {
        var isLasting = !FlagScope.isAnyActive
        let ordinal = question.ordinal
        question.forEachStep { step in
            isLasting = isLasting && step.isLasting
            let value = step.value
            // Nothing to note of a usable value where nothing was refused, so the step is not looked into again.
            if value == nil || !refusals.areNone, case .provider(let said) = step { note(said, ordinal) }
            guard let value else { return true }
            take(step, value, isLasting)
            return false
        }
    }

    /// Returns what one provider of the chain says, whatever the law would make of it.
    ///
    /// - Returns: `nil` if the provider is not there, or says nothing that the flag can use.
    @inline(never) package func finding(
        _ declaration: FlagDeclaration, _ ordinal: Int, from selector: FlagProviderSelector,
        for purpose: FlagQuestion.Purpose
    ) -> Finding? {
        let question = question(declaration, ordinal, for: purpose)
        guard let link = question.chain.link(selector) else { return nil }
        let answer = question.answer(of: link)
        if case .refused(let error) = answer.outcome { report(refused: error, by: link.id, ordinal) }
        guard case .value(let value, _) = answer.outcome else { return nil }
        return Finding(step: .provider(answer), value: value, isLasting: false)
    }

    // MARK: Reporting

    /// Reports a refused value, and forgets an earlier one if there is none now.
    @inline(never) private func note(_ answer: FlagProviderAnswer, _ ordinal: Int) {
        if case .refused(let error) = answer.outcome {
            report(refused: error, by: answer.link.id, ordinal)
        } else {
            refusals.forget(answer.link.id, ordinal)
        }
    }

    @inline(never) private func report(refused error: FlagValueError, by provider: String, _ ordinal: Int) {
        guard refusals.isNew(error.found, of: provider, ordinal) else { return }
        let key = keyPaths[ordinal]
        let message = """
            Flag "\(key)", provider "\(provider)": \(error). The next provider was asked instead. Correct the value at \
            its source, or change the type of the flag.
            """
        reporter.report(
            FlagIssue(.refusedValue, message: message, key: key, provider: provider, value: error.found))
    }

    func report(circle ordinals: [Int], of ordinal: Int) {
        let path = ordinals.map { $0 < 0 ? "(another loader)" : keyPaths[$0].text }
        let message = """
            Computed flags read each other in a circle: \(path.joined(separator: " → ")). None of them is computed \
            now; each gives what its providers say. Break the circle in one of their closures.
            """
        reporter.report(FlagIssue(.cycle, message: message, key: keyPaths[ordinal]))
    }

    func report(tooDeep ordinal: Int) {
        let key = keyPaths[ordinal]
        let message = """
            More than \(OpenQuestion.depthLimit) computed flags wait for each other at flag "\(key)", which gives what \
            its providers say. Compute it from fewer steps.
            """
        reporter.report(FlagIssue(.tooDeep, message: message, key: key))
    }

    func report(circleThrough link: FlagChain.Link, ordinal: Int) {
        let key = keyPaths[ordinal]
        let message = """
            Provider "\(link.id)" reads the flag "\(key)" while it is asked for it, or reads flags through more than \
            \(OpenQuestion.depthLimit) steps, so it was passed over. Let it answer without reading that flag.
            """
        reporter.report(FlagIssue(.cycle, message: message, key: key, provider: link.id))
    }
}

extension FlagAnswer {
    init(_ step: FlagStep, _ value: ErasedFlagValue, _ isLasting: Bool, _ declaration: FlagDeclaration) {
        var encoded: EncodedFlagValue?
        // Only what is too big for a word is kept by its neutral form.
        if isLasting, case .node = value { encoded = step.encoded ?? declaration.encode(value) }
        self.init(value: value, encoded: encoded, isLasting: isLasting)
    }
}

/// The defaults of a loader that were changed at run time. Safe from any thread.
package final class ChangedFlagDefaults: Sendable {
    private let changed = Mutex([Int: ErasedFlagValue]())
    /// Spares readers the lock where nothing was changed.
    private let isEmpty = Atomic<Bool>(true)

    /// Changes a default, or restores the declared one with `nil`.
    ///
    /// - Parameter mark: Marks the flag, under the lock.
    package func set(_ value: ErasedFlagValue?, of ordinal: Int, mark: () -> Void) {
        let old = changed.withLock { changed in
            let old = changed[ordinal]
            changed[ordinal] = value
            // Whoever finds the flag marked has to wait for the lock.
            isEmpty.store(false, ordering: .releasing)
            mark()
            isEmpty.store(changed.isEmpty, ordering: .releasing)
            return old
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(old) {}
    }

    @inline(never) package func value(of declaration: FlagDeclaration, _ ordinal: Int) -> ErasedFlagValue {
        guard !isEmpty.load(ordering: .acquiring) else { return declaration.defaultValue }
        return changed.withLock { $0[ordinal] } ?? declaration.defaultValue
    }
}

/// The values that flags refused and that were reported, so that each is reported once. Safe from any thread.
final class RefusedFlagValues: Sendable {
    private struct Place: Hashable {
        let ordinal: Int
        let provider: String
    }

    private let refused = Mutex([Place: EncodedFlagValue]())
    /// Spares readers the lock where nothing was refused.
    private let isEmpty = Atomic<Bool>(true)

    /// Notes a refused value.
    ///
    /// - Returns: Whether it is another one than the last that the provider gave.
    @inline(never) func isNew(_ value: EncodedFlagValue, of provider: String, _ ordinal: Int) -> Bool {
        refused.withLock { refused in
            isEmpty.store(false, ordering: .relaxed)
            return refused.updateValue(value, forKey: Place(ordinal: ordinal, provider: provider)) != value
        }
    }

    var areNone: Bool { isEmpty.load(ordering: .relaxed) }

    /// Forgets a value that is gone, so that it is reported again when it returns.
    @inline(never) func forget(_ provider: String, _ ordinal: Int) {
        guard !areNone else { return }
        refused.withLock { refused in
            refused[Place(ordinal: ordinal, provider: provider)] = nil
            isEmpty.store(refused.isEmpty, ordering: .relaxed)
        }
    }

    /// Forgets what providers held that have left the chain, so that a chain which changes often costs no memory.
    @inline(never) func forget(exceptOf ids: Set<String>) {
        guard !areNone else { return }
        refused.withLock { refused in
            refused = refused.filter { ids.contains($0.key.provider) }
            isEmpty.store(refused.isEmpty, ordering: .relaxed)
        }
    }
}
