#if Web
    /// Why a request is not answered as it asks, with the status that says so.
    struct ConsoleRequestProblem: Error, Sendable, Equatable {
        var status: Int
        /// A sentence for people, with what to do next.
        var message: String

        init(_ status: Int, _ message: String) {
            self.status = status
            self.message = message
        }
    }
#endif
