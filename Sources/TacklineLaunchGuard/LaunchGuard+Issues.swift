public import TacklineCore

extension LaunchGuard {
    func report(_ verdict: LaunchRecord.Verdict) {
        switch verdict {
        case .heldBack(let values, let deaths):
            let message = """
                \(deaths) launches in a row died soon after their start. All of them had read values that the last \
                healthy launch didn't have, which are held back now: \(Self.list(values)). The next provider or the \
                default answers. Correct the values at their source, or release them.
                """
            options.issueReporter.report(FlagError(.heldBackValues, message, provider: values.first?.provider))
        case .released(let values):
            let message = """
                Launches die soon after their start although values are held back, so these are released: \
                \(Self.list(values)). Look for another cause.
                """
            options.issueReporter.report(FlagError(.releasedValues, message, provider: values.first?.provider))
        }
    }

    private static func list(_ values: [LaunchValue]) -> String {
        var names = values.prefix(8).map { "\"\($0.key)\" of provider \"\($0.provider)\"" }
        if values.count > names.count { names.append("and \(values.count - names.count) more") }
        return names.joined(separator: ", ")
    }

    func report(_ problems: [LaunchFileError]) {
        let message = """
            Launches can't all be remembered: could not \(problems.map(\.description).joined(separator: "; could not ")). \
            Values under which the app dies may not be held back. Give the guard a folder that it alone can write.
            """
        options.issueReporter.report(FlagError(.unknownLaunches, message))
    }
}

extension FlagError.Code {
    /// Values that are held back, because launches that read them died.
    public static let heldBackValues = FlagError.Code("held-back-values")
    /// Values that are released, because launches die although they were held back.
    public static let releasedValues = FlagError.Code("released-values")
    /// Launches that a launch guard can't remember.
    public static let unknownLaunches = FlagError.Code("launches-unknown")
}
