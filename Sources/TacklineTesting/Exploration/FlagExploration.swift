import TacklineCore

/// The runs of a test with the values of the flags that it reads.
///
/// The test is a decision tree: apart from the values of the flags that it has read, nothing decides which flag it
/// reads next. Each run follows a path of the tree. For each flag on the path, the exploration plans a run with each
/// other value and with the same values of the flags before it, so every path is run once (C. Boyapati, S. Khurshid,
/// D. Marinov, *Korat*, ISSTA 2002, prunes in the same way). If a path has more than `limit` combinations of values, or
/// the runs are more, the rest is pairwise.
struct FlagExploration {
    /// A choice of a value for some flags, by their positions.
    typealias Choices = [Int: Int]

    /// The flags that a run read, with their values, and whether it failed.
    struct Outcome {
        var reads: [(key: FlagKeyPath.Identity, declaration: FlagDeclaration, value: EncodedFlagValue)]
        var hasFailed: Bool
    }

    struct Run {
        /// The values that the run read, in the order of the flags' first reads.
        let path: [(flag: Int, choice: Int)]
        let hasFailed: Bool

        /// Returns the choices that aren't the flags' own values.
        var changes: Choices {
            Dictionary(path.filter { $0.choice != 0 }.map { ($0.flag, $0.choice) }) { first, _ in first }
        }
    }

    private(set) var flags: [ReadFlag] = []
    private(set) var runs: [Run] = []
    private let cores: [LoaderCore]
    /// The values that the test gives for some flags.
    private let given: [FlagKeyPath.Identity: [EncodedFlagValue]]
    private let limit: Int

    init(of cores: [LoaderCore], over variations: FlagVariations, limit: Int) {
        self.cores = cores
        self.limit = max(1, limit)
        given = Dictionary(
            variations.factors.compactMap { factor in
                factor.ordinal.map { (FlagKeyPath.Identity(root: factor.collection, ordinal: $0), factor.encoded) }
            }
        ) { $1 }
    }

    /// Returns the scope with some choices.
    func scope(_ choices: Choices, recorder: any FlagReadRecorder) -> FlagScope {
        var scope = FlagScope(recorder: recorder)
        for (flag, choice) in choices { flags[flag].set(choice, in: &scope) }
        return scope
    }

    // MARK: Exploring

    /// Runs the test as it is, and then with each combination of other values, unless the first run fails.
    ///
    /// - Parameter perform: Runs the test with some choices.
    mutating func explore(
        _ perform: (FlagExploration, Choices) async throws -> Outcome
    ) async throws {
        note(try await perform(self, [:]), [:])
        guard runs.first?.hasFailed == false else { return }
        var planned = runs.first.map { plans(after: $0, [:]) } ?? []
        var next = 0
        while next < planned.count {
            let isTooMuch = runs.count >= limit || runs.contains { combinations(of: $0) > limit }
            guard !isTooMuch else { return try await explorePairs(perform) }
            let choices = planned[next]
            next += 1
            guard let run = try await run(choices, perform) else { continue }
            planned += plans(after: run, choices)
        }
    }

    /// Runs the test until each pair of values of the flags that it reads has been in a run.
    private mutating func explorePairs(_ perform: (FlagExploration, Choices) async throws -> Outcome) async throws {
        var count = 0
        while count < flags.count {
            count = flags.count
            let design = PairwiseDesign(counts: flags.map(\.values.count))
            for row in design.rows {
                _ = try await run(Dictionary(uniqueKeysWithValues: row.enumerated().map { ($0, $1) }), perform)
            }
        }
    }

    /// Runs the test with some choices, unless an earlier run has the same path.
    private mutating func run(
        _ choices: Choices, _ perform: (FlagExploration, Choices) async throws -> Outcome
    ) async throws -> Run? {
        guard knownRun(choices) == nil else { return nil }
        note(try await perform(self, choices), choices)
        return runs.last
    }

    /// Returns the earlier run that a run with the choices would repeat, or `nil` if there is none.
    private func knownRun(_ choices: Choices) -> Run? {
        runs.first { run in run.path.allSatisfy { choices[$0.flag] == $0.choice } }
    }

    /// Returns the choices that differ from those of a run in one flag that it read, and agree with it in those before.
    private func plans(after run: Run, _ choices: Choices) -> [Choices] {
        // What was chosen stands before what the run has chosen itself.
        let path = run.path.filter { choices[$0.flag] != nil } + run.path.filter { choices[$0.flag] == nil }
        let first = path.firstIndex { choices[$0.flag] == nil } ?? path.count
        return path.indices[first...].flatMap { position in
            let before = Dictionary(uniqueKeysWithValues: path[..<position].map { ($0.flag, $0.choice) })
            let (flag, choice) = path[position]
            return flags[flag].values.indices.filter { $0 != choice }.map { other in
                before.merging([flag: other]) { $1 }
            }
        }
    }

    private func combinations(of run: Run) -> Int {
        run.path.reduce(1) { min($0 * flags[$1.flag].values.count, limit + 1) }
    }

    // MARK: Flags

    private mutating func note(_ outcome: Outcome, _ choices: Choices) {
        var path: [(flag: Int, choice: Int)] = []
        for read in outcome.reads {
            guard let flag = position(of: read.key, own: read.value, read.declaration) else { continue }
            // A value that a flag has had on its own, and never when it was set, is not one of those to try.
            guard let choice = choices[flag] ?? flags[flag].values.firstIndex(of: read.value) else { continue }
            path.append((flag, choice))
        }
        runs.append(Run(path: path, hasFailed: outcome.hasFailed))
    }

    /// Returns the position of a flag, which is added if it is new. Returns `nil` if there is but one value to try.
    private mutating func position(
        of key: FlagKeyPath.Identity, own: EncodedFlagValue, _ declaration: FlagDeclaration
    ) -> Int? {
        if let known = flags.firstIndex(where: { $0.key == key }) { return known }
        // The flag with this number may be another one in the construction of another loader.
        guard let core = cores.first(where: { $0.rootType == key.root }), core.ordinals.contains(key.ordinal),
            core.declarations[key.ordinal].valueType == declaration.valueType
        else { return nil }
        let values = ReadFlag.values(core.declarations[key.ordinal], own: own, given: given[key])
        guard values.count > 1 else { return nil }
        flags.append(ReadFlag(core: core, ordinal: key.ordinal, values: values))
        return flags.count - 1
    }

    // MARK: Causes

    /// Returns the smallest sets of choices with which the test fails, each found by leaving out choices of a run that
    /// failed. If the first run failed, there are none.
    ///
    /// Parts are left out as in delta debugging (A. Zeller, R. Hildebrandt, *Simplifying and Isolating Failure-Inducing
    /// Input*, IEEE Transactions on Software Engineering 28, 2002).
    mutating func causes(
        atMost maximum: Int, _ perform: (FlagExploration, Choices) async throws -> Outcome
    ) async throws -> [Choices] {
        guard runs.first?.hasFailed == false else { return [] }
        var causes: [Choices] = []
        let failed = runs.filter(\.hasFailed).map(\.changes).sorted { $0.count < $1.count }
        for changes in failed where causes.count < maximum {
            let isExplained = causes.contains { cause in cause.allSatisfy { changes[$0.key] == $0.value } }
            if !isExplained { causes.append(try await smallestCause(in: changes, perform)) }
        }
        return causes
    }

    private mutating func smallestCause(
        in changes: Choices, _ perform: (FlagExploration, Choices) async throws -> Outcome
    ) async throws -> Choices {
        // A failure that doesn't come again can't be reduced.
        if changes.count > 1 {
            guard try await perform(self, all(with: changes)).hasFailed else { return changes }
        }
        var kept = changes.keys.sorted()
        var size = max(1, kept.count / 2)
        var isReduced = true
        while size > 1 || isReduced {
            isReduced = false
            var start = 0
            while start < kept.count, kept.count > 1 {
                var rest = kept
                rest.removeSubrange(start..<min(start + size, kept.count))
                if !rest.isEmpty, try await fails(with: changes.filter { rest.contains($0.key) }, perform) {
                    kept = rest
                    isReduced = true
                } else {
                    start += size
                }
            }
            if size > 1 {
                size /= 2
                isReduced = true
            }
        }
        // Leaving out several flags may fail where leaving out each of them doesn't.
        if 3...6 ~= kept.count {
            let subsets = (1..<(1 << kept.count) - 1).sorted { $0.nonzeroBitCount < $1.nonzeroBitCount }
            for subset in subsets where subset.nonzeroBitCount < kept.count - 1 {
                let part = kept.indices.filter { subset & 1 << $0 != 0 }.map { kept[$0] }
                let choices = changes.filter { part.contains($0.key) }
                if try await fails(with: choices, perform) { return choices }
            }
        }
        return changes.filter { kept.contains($0.key) }
    }

    /// Returns whether the test fails if the flags have their own values, apart from some choices.
    private mutating func fails(
        with choices: Choices, _ perform: (FlagExploration, Choices) async throws -> Outcome
    ) async throws -> Bool {
        let all = all(with: choices)
        if let known = knownRun(all) { return known.hasFailed }
        note(try await perform(self, all), all)
        return runs.last?.hasFailed == true
    }

    /// Returns the flags' own values, apart from some choices.
    func all(with choices: Choices) -> Choices {
        Dictionary(uniqueKeysWithValues: flags.indices.map { ($0, 0) }).merging(choices) { $1 }
    }
}
