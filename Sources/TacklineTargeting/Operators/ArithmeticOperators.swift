import TacklineCore

extension RuleOperator {
    /// The operators that compute a number.
    static let arithmetic: [RuleOperator] = [
        RuleOperator(
            "+", .list(1...), words: .sign("+"),
            change: { evaluator, node throws(RuleFailure) in
                try evaluator.linearOutlook(node) { $0.reduce(Course(), +) }
            },
            .value { evaluator, node throws(RuleFailure) in try evaluator.total(node, 0, +) }),
        RuleOperator(
            "*", .list(2...), words: .sign("*"),
            change: { evaluator, node throws(RuleFailure) in
                try evaluator.linearOutlook(node) { courses in
                    var product = Course(value: 1)
                    for course in courses {
                        guard product.isConstant || course.isConstant else { return nil }
                        product = product.isConstant ? course * product.value : product * course.value
                    }
                    return product
                }
            },
            .value { evaluator, node throws(RuleFailure) in try evaluator.total(node, 1, *) }),
        RuleOperator(
            "-", .list(1...), words: .sign("-"),
            change: { evaluator, node throws(RuleFailure) in
                try evaluator.linearOutlook(node) { courses in
                    courses.count == 1 ? courses[0] * -1 : courses.count > 1 ? courses[0] + courses[1] * -1 : nil
                }
            },
            .value { evaluator, node throws(RuleFailure) in
                if node.argumentCount > 1 { return try evaluator.pair(node, -) }
                guard let index = evaluator.argument(0, of: node) else { return .double(.nan) }
                return .scriptNumber(-(try evaluator.number(evaluator.evaluate(index))))
            }),
        RuleOperator(
            "/", .list(2...2), words: .sign("/"),
            change: { evaluator, node throws(RuleFailure) in
                try evaluator.linearOutlook(node) { courses in
                    guard courses.count > 1, courses[1].isConstant, courses[1].value != 0 else { return nil }
                    let (course, divisor) = (courses[0], courses[1].value)
                    return Course(
                        value: course.value / divisor, slope: course.slope / divisor, rise: course.rise / divisor)
                }
            },
            .value { evaluator, node throws(RuleFailure) in try evaluator.pair(node, /) }),
        RuleOperator(
            "%", .list(2...2), words: .sign("%"),
            change: { evaluator, node throws(RuleFailure) in try evaluator.remainderOutlook(node) },
            .value { evaluator, node throws(RuleFailure) in
                try evaluator.pair(node) { $0.truncatingRemainder(dividingBy: $1) }
            }),
        RuleOperator(
            "max", .list(1...),
            change: { evaluator, node throws(RuleFailure) in try evaluator.extremeOutlook(node, >) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.extreme(node, -.infinity, >) }),
        RuleOperator(
            "min", .list(1...),
            change: { evaluator, node throws(RuleFailure) in try evaluator.extremeOutlook(node, <) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.extreme(node, .infinity, <) }),
    ]
}

extension RuleEvaluator {
    /// Evaluates `+` and `*`. A text counts as the number it is, or else as the number it begins with: JsonLogic uses
    /// `parseFloat` here, which on its own would refuse the empty text, booleans and null.
    fileprivate mutating func total(
        _ node: RuleNode, _ start: Double, _ combine: (Double, Double) -> Double
    ) throws(RuleFailure) -> EncodedFlagValue {
        var total = start
        for position in 0..<Int(node.argumentCount) {
            let value = try evaluate(argument: position, of: node)
            var number = try number(value)
            if number.isNaN, case .string(let text) = try primitive(value) { number = ScriptNumber.parsePrefix(text) }
            total = combine(total, number)
        }
        return .scriptNumber(total)
    }

    /// Evaluates `max` and `min`: NaN if any argument is no number.
    fileprivate mutating func extreme(
        _ node: RuleNode, _ start: Double, _ isBeyond: (Double, Double) -> Bool
    ) throws(RuleFailure) -> EncodedFlagValue {
        var extreme = start
        for position in 0..<Int(node.argumentCount) {
            let number = try number(evaluate(argument: position, of: node))
            if number.isNaN { extreme = .nan }
            if isBeyond(number, extreme) { extreme = number }
        }
        return .scriptNumber(extreme)
    }

    /// Evaluates an operator of the first two arguments; NaN if there are fewer.
    fileprivate mutating func pair(
        _ node: RuleNode, _ combine: (Double, Double) -> Double
    ) throws(RuleFailure) -> EncodedFlagValue {
        guard node.argumentCount > 0 else { return .double(.nan) }
        let left = try number(evaluate(argument: 0, of: node))
        // Every argument is evaluated, since one that reaches a limit must fail the rule in any case.
        guard node.argumentCount > 1 else { return .double(.nan) }
        return .scriptNumber(combine(left, try number(evaluate(argument: 1, of: node))))
    }
}

// MARK: Over time

/// A number over time: a line or a stair.
private struct Course {
    var value = 0.0
    var slope = 0.0
    var rise = 0.0
    var isConstant: Bool { slope == 0 && rise == 0 }

    static func + (left: Course, right: Course) -> Course {
        Course(value: left.value + right.value, slope: left.slope + right.slope, rise: left.rise + right.rise)
    }

    static func * (course: Course, factor: Double) -> Course {
        Course(value: course.value * factor, slope: course.slope * factor, rise: course.rise * factor)
    }
}

/// The numbers that an operator computes with, over time.
private struct Courses {
    var all: [Course] = []
    var stairs: Set<Outlook.Stair> = []
    var until = Int64.max

    /// Considers only the time up to the next step, for steps at different times and for operators other than `+`, `-`,
    /// `*` and `/`.
    mutating func endAtNextStep() {
        for stair in stairs { until = min(until, stair.next) }
        for position in all.indices { all[position].rise = 0 }
        stairs = []
    }

    func outlook(_ result: Course) -> Outlook {
        Outlook(
            value: .scriptNumber(result.value), slope: result.slope, rise: result.rise,
            stair: result.rise == 0 ? nil : stairs.first, until: until)
    }
}

extension RuleEvaluator {
    /// Returns `nil` if an argument is no finite number.
    private mutating func courses(of node: RuleNode) throws(RuleFailure) -> Courses? {
        var courses = Courses()
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { return nil }
            let outlook = try steppedOutlook(index)
            let value = try number(outlook.value)
            guard value.isFinite else { return nil }
            courses.all.append(Course(value: value, slope: outlook.slope, rise: outlook.rise))
            if let stair = outlook.stair { courses.stairs.insert(stair) }
            courses.until = min(courses.until, outlook.until)
        }
        return courses
    }

    /// Returns the outlook of a combination that keeps lines and stairs. It is `nil` if `combine` returns `nil`, since
    /// the result would be neither.
    fileprivate mutating func linearOutlook(
        _ node: RuleNode, _ combine: ([Course]) -> Course?
    ) throws(RuleFailure) -> Outlook? {
        guard var courses = try courses(of: node) else { return nil }
        if courses.stairs.count > 1 { courses.endAtNextStep() }
        return combine(courses.all).map { courses.outlook($0) }
    }

    fileprivate mutating func extremeOutlook(
        _ node: RuleNode, _ isBeyond: (Double, Double) -> Bool
    ) throws(RuleFailure) -> Outlook? {
        guard var courses = try courses(of: node) else { return nil }
        courses.endAtNextStep()
        guard var extreme = courses.all.first else { return nil }
        for course in courses.all.dropFirst() {
            courses.until = min(courses.until, crossing(course.value - extreme.value, course.slope - extreme.slope))
            if isBeyond(course.value, extreme.value) { extreme = course }
        }
        return courses.outlook(extreme)
    }

    fileprivate mutating func remainderOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook? {
        guard var courses = try courses(of: node), courses.all.count > 1 else { return nil }
        courses.endAtNextStep()
        var (result, divisor) = (courses.all[0], courses.all[1].value)
        guard courses.all[1].isConstant, divisor > 0, result.value >= 0 else { return nil }
        let rest = result.value.truncatingRemainder(dividingBy: divisor)
        if result.slope == 1, rest.rounded() == rest, divisor.rounded() == divisor, divisor < 0x1p50 {
            // A saw: the value falls by the divisor each time that it reaches it.
            courses.stairs = [Outlook.Stair(next: now + Int64(divisor - rest), period: Int64(divisor))]
            result.rise = -divisor
        } else if result.slope > 0 {
            // The second at which the value passes the next multiple of the divisor.
            courses.until = min(courses.until, later(((divisor - rest) / result.slope).rounded(.up)))
        } else if result.slope < 0 {
            courses.until = min(courses.until, later((rest / -result.slope).rounded(.down) + 1))
        }
        result.value = rest
        return courses.outlook(result)
    }

    private func later(_ seconds: Double) -> Int64 {
        seconds < 1e15 ? now + max(1, Int64(seconds)) : .max
    }
}
