/// The window, in cells.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    /// Takes what the system said; anything absurd is brought into range.
    init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
    }
}
