// systems: macos ios tvos watchos visionos
#if canImport(Darwin)
    func count() -> Int {
        // mistake: 'InlineArray' is only available in
        let values: InlineArray<3, Int> = [1, 2, 3]
        return values.count
    }
#endif
