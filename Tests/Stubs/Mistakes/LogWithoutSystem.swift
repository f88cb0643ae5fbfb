// error: missing argument
#if canImport(os)
    import os

    let log = Logger(subsystem: "flags")
#endif
