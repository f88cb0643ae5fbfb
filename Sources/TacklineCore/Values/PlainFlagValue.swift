/// A type that the coders take over from its ``FlagValue`` conformance, instead of from its `Codable` one.
protocol PlainFlagValue: FlagValue {}

extension EncodedFlagValue: PlainFlagValue {}
