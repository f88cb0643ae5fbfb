import TacklineCore

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif
import TacklineCLibrary

/// A function that fails the running test of Swift Testing or XCTest.
enum TestFailure {
    /// Fails the current test for an issue.
    ///
    /// - Returns: Whether a test is known to have failed. If not, the issue must also be reported elsewhere.
    static func record(_ issue: FlagError) -> Bool {
        #if canImport(Testing)
            if Test.current != nil {
                Issue.record(issue)
                return true
            }
        #endif
        #if canImport(XCTest)
            #if canImport(Darwin)
                // On Darwin, a failure without a running test ends the process.
                guard isTestCaseRunning else { return false }
                XCTFail("\(issue)")
                return true
            #else
                // On other platforms it does nothing without a running test, and doesn't say whether there is one.
                XCTFail("\(issue)")
                return false
            #endif
        #else
            return false
        #endif
    }

    #if canImport(XCTest) && canImport(Darwin)
        /// Whether XCTest runs a test now, according to a C function without a header.
        private static var isTestCaseRunning: Bool {
            // `RTLD_DEFAULT`: all loaded images.
            let everything = UnsafeMutableRawPointer(bitPattern: -2)
            guard let symbol = dlsym(everything, "_XCTCurrentTestCase") else { return false }
            let currentTestCase = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer?).self)
            return currentTestCase() != nil
        }
    #endif
}
