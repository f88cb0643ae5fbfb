// error: cannot convert return expression of type 'off_t'
// systems: macos ios
#if canImport(Darwin)
    import Darwin

    func size(_ path: String) -> Int32 {
        var attributes = stat()
        guard stat(path, &attributes) == 0 else { return 0 }
        return attributes.st_size
    }
#endif
