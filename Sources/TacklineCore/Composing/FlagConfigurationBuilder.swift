/// Lists the lines of a configuration, with `if`, `if let`, `switch`, `for`, arrays and optionals.
@resultBuilder
public enum FlagConfigurationBuilder<Root: FlagCollectionProtocol> {
    /// A line.
    public static func buildExpression(_ setting: FlagSetting<Root>) -> [FlagSetting<Root>] { [setting] }

    /// A line, or nothing.
    public static func buildExpression(_ setting: FlagSetting<Root>?) -> [FlagSetting<Root>] {
        setting.map { [$0] } ?? []
    }

    /// Several lines.
    public static func buildExpression(_ settings: [FlagSetting<Root>]) -> [FlagSetting<Root>] { settings }

    /// All lines of another configuration.
    public static func buildExpression(_ configuration: FlagConfiguration<Root>) -> [FlagSetting<Root>] {
        configuration.settings
    }

    /// One part after the other.
    public static func buildBlock(_ parts: [FlagSetting<Root>]...) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// One part after the other.
    public static func buildArray(_ parts: [[FlagSetting<Root>]]) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// An `if` without `else`.
    public static func buildOptional(_ part: [FlagSetting<Root>]?) -> [FlagSetting<Root>] { part ?? [] }

    /// The first branch.
    public static func buildEither(first part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// Another branch.
    public static func buildEither(second part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// A part behind `#available`.
    public static func buildLimitedAvailability(_ part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }
}
