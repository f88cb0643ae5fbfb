/// Lets one edit happen after the other, so that what each of them finds and leaves is true.
///
/// An actor and not a lock, since providers' code runs meanwhile.
actor EditingTurns {
    func take<Result: Sendable>(
        _ body: @Sendable () throws(FlagsBrowserError) -> Result
    ) throws(FlagsBrowserError) -> Result {
        try body()
    }
}
