// error: 'execv' is unavailable
// systems: tvos watchos
#if canImport(Darwin)
    import Darwin

    func replace(_ path: String) -> CInt { execv(path, nil) }
#endif
