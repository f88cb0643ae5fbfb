public import TacklineCore

extension KeyConfiguration.Transform {
    /// RealFlags' snake case: `isURLValid` → `is_urlvalid`, `iOSOnly` → `i_osonly`.
    ///
    /// With it the keys of an app that comes from RealFlags stay what they were, on servers too:
    ///
    /// ```swift
    /// KeyConfiguration(prefix: "myapp", keyTransform: .realFlagsSnakeCase)
    /// ```
    ///
    /// A word begins at a capital of ASCII behind a small letter of ASCII or a digit, and nowhere else. Names without
    /// acronyms become what ``/TacklineCore/KeyConfiguration/Transform/snakeCase`` makes of them.
    public static let realFlagsSnakeCase = KeyConfiguration.Transform.snakeCaseOfRealFlags

    /// RealFlags' kebab case: `isURLValid` → `is-urlvalid`.
    public static let realFlagsKebabCase = KeyConfiguration.Transform.kebabCaseOfRealFlags

    /// The transform that RealFlags calls by the name of this one.
    var asInRealFlags: KeyConfiguration.Transform {
        switch self {
        case .snakeCase: .realFlagsSnakeCase
        case .kebabCase: .realFlagsKebabCase
        default: self
        }
    }
}

extension KeyConfiguration {
    /// The configuration as RealFlags applies it, with a transformed prefix.
    var asInRealFlags: KeyConfiguration {
        let transform = keyTransform.asInRealFlags
        return KeyConfiguration(
            prefix: prefix.map { transform($0) }, pathSeparator: pathSeparator, keyTransform: transform)
    }
}
