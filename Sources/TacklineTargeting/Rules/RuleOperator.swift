/// What a rule can do, by the name it has in a document.
enum RuleOperator: String, CaseIterable, Sendable {
    case variable = "var"
    case missing
    case missingSome = "missing_some"
    case condition = "if"
    case ternary = "?:"
    case equal = "=="
    case identical = "==="
    case notEqual = "!="
    case notIdentical = "!=="
    case not = "!"
    case truth = "!!"
    case or
    case and
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case maximum = "max"
    case minimum = "min"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
    case map
    case reduce
    case filter
    case all
    case none
    case some
    case merge
    case contains = "in"
    case join = "cat"
    case substring = "substr"
    case log
    case fractional
    case semanticVersion = "sem_ver"
    case startsWith = "starts_with"
    case endsWith = "ends_with"
}
