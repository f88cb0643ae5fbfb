#if Web
    enum ConsolePage {
        static func response() -> ConsoleResponse { ConsoleResponse(200, type: "text/html", "hello") }
    }
#endif
