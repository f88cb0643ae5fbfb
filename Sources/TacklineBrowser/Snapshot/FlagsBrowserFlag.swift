public import TacklineCore

/// A flag in the browser, with its value and the reason for it.
public struct FlagsBrowserFlag: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the flag's key, as in `AppFlags:secrets/boom_feature`. It is unique, and remains the same
    /// from launch to launch while the key does.
    public var id: String
    /// The id of the section that contains the flag.
    public var section: String
    /// The id of the nested collection that contains the flag, or `nil` if the root collection contains it directly.
    public var group: String?
    /// The name for people.
    public var name: String
    /// The key that providers are asked for.
    public var key: String
    /// The path of the flag's property in the source code, such as `secrets.boomFeature`.
    public var property: String
    /// The description of the flag; may be empty.
    public var description: String
    /// The name of the flag's type, for people.
    public var type: String
    /// The control that edits the flag.
    public var control: FlagsBrowserControl
    /// The values that the flag's declaration allows, as a phrase such as "a value from 1 to 10"; `nil` if it has no
    /// bounds.
    public var rule: String?
    /// Whether "no value" (`null`) is a value of the flag.
    public var isOptional: Bool
    /// The owner, the expiry date and the other metadata.
    public var metadata: FlagsBrowserMetadata
    /// The default in the source code.
    public var declaredDefault: FlagsBrowserValue

    /// The value that a read returns.
    public var value: FlagsBrowserValue
    /// The source of that value.
    public var source: FlagSource
    /// The reason for the value, as a sentence without a full stop.
    public var reason: String
    /// The variant that the winning provider served, or `nil` if there is none.
    public var variant: String?
    /// The providers' answers, in the order of the chain.
    public var answers: [FlagsBrowserAnswer]
    /// The value that holds for the task that made the snapshot, or `nil` if there is none.
    public var scoped: FlagsBrowserValue?
    /// The flag's computed value, or `nil` if there is none at present.
    public var computed: FlagsBrowserValue?
    /// The default in force.
    public var defaultValue: FlagsBrowserValue

    /// Whether an override layer holds a value for the flag.
    public var isOverridden: Bool
    /// Whether the value differs from the default in force.
    public var isChangedFromDefault: Bool
    /// Whether the flag is pinned.
    public var isPinned: Bool
    /// Whether the expiry date has passed.
    public var isExpired: Bool
    /// The reason why the flag can't be edited, or `nil` if it can.
    public var refusal: FlagsBrowserRefusal?

    /// Creates a flag.
    public init(
        id: String, section: String, group: String? = nil, name: String, key: String, property: String = "",
        description: String = "", type: String, control: FlagsBrowserControl, rule: String? = nil,
        isOptional: Bool = false,
        metadata: FlagsBrowserMetadata = FlagsBrowserMetadata(), declaredDefault: FlagsBrowserValue,
        value: FlagsBrowserValue, source: FlagSource, reason: String = "", variant: String? = nil,
        answers: [FlagsBrowserAnswer] = [], scoped: FlagsBrowserValue? = nil, computed: FlagsBrowserValue? = nil,
        defaultValue: FlagsBrowserValue, isOverridden: Bool = false, isChangedFromDefault: Bool = false,
        isPinned: Bool = false, isExpired: Bool = false, refusal: FlagsBrowserRefusal? = nil
    ) {
        self.id = id
        self.section = section
        self.group = group
        self.name = name
        self.key = key
        self.property = property
        self.description = description
        self.type = type
        self.control = control
        self.rule = rule
        self.isOptional = isOptional
        self.metadata = metadata
        self.declaredDefault = declaredDefault
        self.value = value
        self.source = source
        self.reason = reason
        self.variant = variant
        self.answers = answers
        self.scoped = scoped
        self.computed = computed
        self.defaultValue = defaultValue
        self.isOverridden = isOverridden
        self.isChangedFromDefault = isChangedFromDefault
        self.isPinned = isPinned
        self.isExpired = isExpired
        self.refusal = refusal
    }
}

extension FlagsBrowserFlag: FlagValue {
    /// Whether the flag can be edited.
    public var isEditable: Bool { refusal == nil }

    /// Whether the launch guard holds back a value that can be released.
    public var canBeReleased: Bool { isEditable && answers.contains { $0.isHeldBack == true } }

    /// Returns the answer of a provider, or `nil` if the chain has no provider with this id.
    public func answer(of provider: String) -> FlagsBrowserAnswer? { answers.first { $0.provider == provider } }
}

/// A reason why something can't be edited.
public struct FlagsBrowserRefusal: Sendable, Hashable, Codable {
    /// The kind of refusal.
    public var code: FlagsBrowserError.Code
    /// A message for people that says what to do about it: a sentence with a full stop.
    public var message: String

    /// Creates a refusal.
    public init(code: FlagsBrowserError.Code, message: String) {
        self.code = code
        self.message = message
    }
}
