/// A `sem_ver` whose operator and target are known when the rule is compiled.
struct VersionTest: Sendable {
    var comparison: VersionComparison
    var target: SemanticVersion
}

/// How `sem_ver` compares.
enum VersionComparison: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case sameMajor = "^"
    case sameMinor = "~"

    func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
        switch self {
        case .equal: left.order(relativeTo: right) == 0
        case .notEqual: left.order(relativeTo: right) != 0
        case .less: left.order(relativeTo: right) < 0
        case .lessOrEqual: left.order(relativeTo: right) <= 0
        case .greater: left.order(relativeTo: right) > 0
        case .greaterOrEqual: left.order(relativeTo: right) >= 0
        case .sameMajor: left.major == right.major
        case .sameMinor: left.major == right.major && left.minor == right.minor
        }
    }
}
