// swift-format-ignore-file
// What SwiftPM adds to a module that has resources.
import Foundation

extension Foundation.Bundle { static nonisolated let module: Bundle = .main }
