import TacklineCore

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif
#if canImport(Darwin)
    import Darwin
#endif

/// Fails the test that is running, of Swift Testing or of XCTest.
enum TestFailure {
    /// Fails the current test for an issue.
    ///
    /// - Returns: Whether a test is known to have failed. If not, the issue has to be reported elsewhere too.
    static func record(_ issue: FlagIssue) -> Bool {
        #if canImport(Testing)
            if Test.current != nil {
                Issue.record(issue)
                return true
            }
        #endif
        #if canImport(XCTest)
            #if canImport(Darwin)
                // There, a failure without a test that is running ends the process.
                guard isTestCaseRunning else { return false }
                XCTFail("\(issue)")
                return true
            #else
                // Here it does nothing without one, and does not say whether there was one.
                XCTFail("\(issue)")
                return false
            #endif
        #else
            return false
        #endif
    }

    #if canImport(XCTest) && canImport(Darwin)
        /// Whether XCTest runs a test now, which it tells by a function of C without a header.
        private static var isTestCaseRunning: Bool {
            // The handle RTLD_DEFAULT: whatever is loaded.
            let everything = UnsafeMutableRawPointer(bitPattern: -2)
            guard let symbol = dlsym(everything, "_XCTCurrentTestCase") else { return false }
            let currentTestCase = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer?).self)
            return currentTestCase() != nil
        }
    #endif
}
