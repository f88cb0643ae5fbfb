// error: is unavailable in macOS
import Foundation

func write() { ProcessInfo.processInfo.performExpiringActivity(withReason: "x") { _ in } }
