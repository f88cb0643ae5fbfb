public import TacklineCore

/// A flag in the browser: what it is, what it gives, and why.
public struct FlagsBrowserFlag: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the flag's key, as in `AppFlags:secrets/boom_feature`. No two flags have the same, and it
    /// stays the same from launch to launch as long as the key does.
    public var id: String
    /// The id of the section that it is in.
    public var section: String
    /// The id of the nested collection that it is in; `nil` if it is right in the root collection.
    public var group: String?
    /// The name for people.
    public var name: String
    /// The key under which providers are asked.
    public var key: String
    /// The path of its property in the source: `secrets.boomFeature`.
    public var property: String
    /// What the flag does; may be empty.
    public var description: String
    /// The flag's type, for people.
    public var type: String
    /// The control that edits the flag.
    public var control: FlagsBrowserControl
    /// Whether "no value" (`null`) is one of its values.
    public var isOptional: Bool
    /// The owner, the expiry date and the other metadata.
    public var metadata: FlagsBrowserMetadata
    /// The default as it stands in the source.
    public var declaredDefault: FlagsBrowserValue

    /// The value that a read gives.
    public var value: FlagsBrowserValue
    /// Where that comes from.
    public var source: FlagSource
    /// Why, as a sentence without a full stop.
    public var reason: String
    /// The variant that the winning provider served; `nil` if it has none.
    public var variant: String?
    /// The providers' answers, in the order of the chain.
    public var answers: [FlagsBrowserAnswer]
    /// What holds for the task that made the snapshot; `nil` if nothing does.
    public var scoped: FlagsBrowserValue?
    /// What the flag computes; `nil` if it computes nothing, or nothing at present.
    public var computed: FlagsBrowserValue?
    /// The default in force.
    public var defaultValue: FlagsBrowserValue

    /// Whether an override layer holds a value for it.
    public var isOverridden: Bool
    /// Whether its value is another one than the default in force.
    public var isChangedFromDefault: Bool
    /// Whether somebody pinned it.
    public var isPinned: Bool
    /// Whether the expiry date has passed.
    public var isExpired: Bool
    /// Why it cannot be edited; `nil` if it can.
    public var refusal: FlagsBrowserRefusal?

    /// Makes a flag.
    public init(
        id: String, section: String, group: String? = nil, name: String, key: String, property: String = "",
        description: String = "", type: String, control: FlagsBrowserControl, isOptional: Bool = false,
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

extension FlagsBrowserFlag {
    /// Whether it can be edited.
    public var isEditable: Bool { refusal == nil }

    /// Returns what one provider answered; `nil` if the chain has none with this id.
    public func answer(of provider: String) -> FlagsBrowserAnswer? { answers.first { $0.provider == provider } }
}
