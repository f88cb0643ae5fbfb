import TacklineCLibrary
public import TacklineCore

#if canImport(Testing)
    public import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// A function that fails the running test of Swift Testing or XCTest.
enum TestFailure {
    /// Fails the current test.
    ///
    /// - Returns: Whether a test is known to have failed. If not, the error must also be reported elsewhere.
    static func record(_ error: any Error) -> Bool {
        #if canImport(Testing)
            if Test.current != nil {
                Issue.record(error)
                return true
            }
        #endif
        #if canImport(XCTest)
            #if canImport(Darwin)
                // On Darwin, a failure without a running test ends the process. A C function without a header says whether
                // there is one. The handle is `RTLD_DEFAULT`: all loaded images.
                guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "_XCTCurrentTestCase") else {
                    return false
                }
                let currentTestCase = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer?).self)
                guard currentTestCase() != nil else { return false }
                XCTFail("\(error)")
                return true
            #else
                // On other platforms it does nothing without a running test, and doesn't say whether there is one.
                XCTFail("\(error)")
                return false
            #endif
        #else
            return false
        #endif
    }
}

#if canImport(Testing)
    extension FlagIssueReporter {
        /// Returns a reporter that fails the current test for each issue of a loader, such as a value that a flag's
        /// type refuses.
        ///
        /// An issue from a thread that belongs to no test fails the run as a whole. In XCTest, use
        /// `FlagIssueReporter { XCTFail("\($0)") }`.
        ///
        /// - Parameter sourceLocation: The source location of the recorded issues.
        public static func failingTest(sourceLocation: SourceLocation = #_sourceLocation) -> FlagIssueReporter {
            FlagIssueReporter { issue in Issue.record(issue, sourceLocation: sourceLocation) }
        }
    }
#endif
