extension RolloutSimulation {
    /// The split as lines of text in columns, for a terminal.
    ///
    /// ```text
    /// reservations, 10000 subjects
    /// variant  subjects    share  expected
    /// off          9013  90.13 %   90.00 %
    /// on            987   9.87 %   10.00 %
    /// ```
    public var table: String {
        var table = TextTable(header: ["variant", "subjects", "share", "expected"])
        for share in shares {
            let total = Double(max(1, subjectCount))
            table.add([
                share.variant, String(share.count), TextTable.percentage(Double(share.count) / total),
                TextTable.percentage(share.expectedCount / total),
            ])
        }
        return "\(flagKey), \(subjectCount) subjects\n" + table.text
    }
}
