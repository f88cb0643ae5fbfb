import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct Tree: FlagCollectionProtocol {
    @FlagCollection var plainGroup: Leaf
    @FlagCollection(keyConfiguration: .kebabCase) var kebabGroup: Nested
    @FlagCollection(keyConfiguration: .snakeCase) var snakeGroup: Nested
    @FlagCollection(keyConfiguration: .custom("own Name")) var customGroup: Nested
    @FlagCollection(key: "byKey", keyConfiguration: .skip) var keyedGroup: Nested
    @FlagCollection(keyConfiguration: .skip) var skippedGroup: Nested
    @FlagCollection(description: "A raw identifier") var `my group`: Raw
}

private struct Leaf: FlagCollectionProtocol {
    @Flag(default: 1) var someFlag: Int
    @Flag(key: "renamed", default: 2) var other: Int
    @Flag(key: .name("otherName"), default: 2) var named: Int
    @Flag(key: .absolute("top.level/key"), default: 3) var absolute: Int
}

private struct Nested: FlagCollectionProtocol {
    @Flag(default: 4) var innerFlag: Int
}

private struct Raw: FlagCollectionProtocol {
    @Flag(default: 1) var `1st try`: Int
    @Flag(default: false) var `default`: Bool
}

@Suite("Keys of a collection")
struct DeclarationTests {
    private static let plain = KeyConfiguration()
    private static let own = KeyConfiguration(prefix: "My App.v2", pathSeparator: ".", keyTransform: .kebabCase)

    @Test(
        "consist of the names of collections and properties, as each of them and the loader are configured",
        arguments: [
            (
                plain,
                [
                    "plain_group/some_flag", "plain_group/renamed", "plain_group/other_name", "top.level/key",
                    "kebab-group/inner_flag", "snake_group/inner_flag", "own Name/inner_flag", "byKey/inner_flag",
                    "inner_flag", "my_group/1st_try", "my_group/default",
                ]
            ),
            (
                own,
                [
                    "My App.v2.plain-group.some-flag", "My App.v2.plain-group.renamed",
                    "My App.v2.plain-group.other-name", "top.level/key", "My App.v2.kebab-group.inner-flag",
                    "My App.v2.snake_group.inner-flag", "My App.v2.own Name.inner-flag", "My App.v2.byKey.inner-flag",
                    "My App.v2.inner-flag", "My App.v2.my-group.1st-try", "My App.v2.my-group.default",
                ]
            ),
        ])
    func keyPaths(keys: KeyConfiguration, expected: [String]) throws {
        let memory = MemoryProvider()
        let loader = FlagsLoader(Tree.self, keyConfiguration: keys, providers: [memory])
        try loader.validate()
        let flags = loader.root.allFlags
        #expect(flags.map(\.keyPath.text) == expected)
        #expect(flags.map(\.property).prefix(2) == ["plainGroup.someFlag", "plainGroup.other"])
        #expect(flags.map(\.property).suffix(2) == ["my group.1st try", "my group.default"])
        // Groups have the key path that their flags have in common.
        let prefix = keys.prefix ?? ""
        #expect(loader.root.keyPath.text == prefix && loader.$skippedGroup.keyPath.text == prefix)
        #expect(loader.root.keyPath.components == (keys.prefix == nil ? [] : ["My App", "v2"]))
        #expect(expected[7].hasPrefix(loader.$keyedGroup.keyPath.text + keys.pathSeparator))
        // A flag is found by its key, and by its text in the loader's separator.
        for flag in flags {
            #expect(loader.flag(at: flag.keyPath)?.ordinal == flag.ordinal)
            #expect(loader.flag(at: FlagKeyPath(flag.keyPath.text))?.ordinal == flag.ordinal)
            #expect(loader.flag(at: FlagKeyPath(components: flag.keyPath.components))?.ordinal == flag.ordinal)
        }
        try loader.$plainGroup.flags.first?.setValue(7)
        #expect(loader.plainGroup.someFlag == 7 && memory.value(at: expected[0], separator: keys.pathSeparator) == 7)
        memory.setValue(8, for: FlagKeyPath("top.level/key", separator: keys.pathSeparator))
        #expect(loader.plainGroup.absolute == 8)
    }

    @Test("are made by the key configuration of the collection, unless a loader or manager has its own")
    func ofCollection() {
        struct Flags: FlagCollectionProtocol {
            static let keyConfiguration = KeyConfiguration(prefix: "app", pathSeparator: ".", keyTransform: .kebabCase)
            @Flag(default: 1) var innerFlag: Int
            @FlagCollection var group: Nested
        }
        let region = MemoryProvider(Flags.self, name: "region") {
            $0.set(\.innerFlag, to: 5)
            $0.set(\.group.innerFlag, to: 6)
        }
        #expect(region.document?.root == ["app.inner-flag": 5, "app.group.inner-flag": 6])
        let flags = FlagsLoader(Flags.self, providers: [region])
        #expect(flags.innerFlag == 5 && flags.group.innerFlag == 6)
        let own = FlagsLoader(Flags.self, keyConfiguration: KeyConfiguration(), providers: [region])
        #expect(own.$innerFlag.keyPath == "inner_flag" && own.innerFlag == 1)
        let manager = FlagsManager(providers: [region])
        #expect(manager.addCollection(Flags.self).innerFlag == 5)
        let other = FlagsManager(keyConfiguration: KeyConfiguration(prefix: "x"), providers: [region])
        #expect(other.addCollection(Flags.self).$innerFlag.keyPath == "x/inner_flag")
    }

    @Test("are reported as hidden by members of the loader when it is validated, and not before")
    func hidden() throws {
        struct Inner: FlagCollectionProtocol {
            @Flag(default: false) var providers: Bool
        }
        struct Hidden: FlagCollectionProtocol {
            @Flag(default: false) var snapshot: Bool
            @Flag(default: false) var shown: Bool
            @FlagCollection var root: Inner
        }
        let recorder = IssueRecorder()
        let loader = FlagsLoader(Hidden.self, providers: [], issueReporter: recorder.reporter)
        #expect(recorder.issues.isEmpty && !loader.flags.snapshot)
        let error = #expect(throws: FlagError.self) { try loader.validate() }
        #expect(error?.underlying.map(\.code) == [.hiddenFlag, .hiddenFlag])
        #expect(
            error?.underlying.first?.message == """
                The property "snapshot" of Hidden has the name of a member of FlagsLoader, which hides it: loader.snapshot \
                is the loader's own. Give the property another name and keep its key with key: "snapshot", or read it as \
                loader.flags.snapshot.
                """)
    }

    @Test("are reported all at once if they have mistakes, each with its fix")
    func mistakes() {
        struct Mistaken: FlagCollectionProtocol {
            @Flag(key: "same", default: 1) var first: Int
            @Flag(key: "same", default: 2) var second: Int
            @Flag(key: "a/b", default: 3) var slashed: Int
            @Flag(key: "", default: 4) var empty: Int
            @Flag(key: .absolute("a//b"), default: 4) var emptyPart: Int
            @FlagCollection(key: "x/y") var group: Nested
        }
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["same": 9])
        let loader = FlagsLoader(Mistaken.self, providers: [memory], issueReporter: recorder.reporter)
        #expect(
            recorder.codes == [
                .separatorInKeyComponent, .duplicateKey, .separatorInKeyComponent, .emptyKeyComponent,
                .emptyKeyComponent,
            ])
        let error = #expect(throws: FlagError.self) { try loader.validate() }
        #expect(error?.underlying == recorder.issues)
        #expect(error?.description.contains("Give one of them a key of its own with @Flag(key:)") == true)
        #expect(error?.description.contains("\"first\"") == true && error?.description.contains("\"second\"") == true)
        #expect(loader.first == 9 && loader.second == 9 && loader.slashed == 3 && loader.empty == 4)
        memory.setValue(10, for: "same")
        #expect(loader.first == 10 && loader.second == 10 && loader.flag(at: "same")?.property == "first")
    }

    @Test(
        "are reported if their separator, or a part of the prefix, is empty",
        arguments: [
            (KeyConfiguration(pathSeparator: ""), FlagError.Code.emptySeparator),
            (KeyConfiguration(prefix: "a//b"), .emptyKeyComponent),
        ])
    func emptyParts(keys: KeyConfiguration, expected: FlagError.Code) {
        let recorder = IssueRecorder()
        _ = FlagsLoader(Nested.self, keyConfiguration: keys, providers: [], issueReporter: recorder.reporter)
        #expect(recorder.codes == [expected])
    }

    @Test("are made in a collection whose own mirror has its flags, and else missing, which is reported")
    func customMirror() throws {
        let loader = FlagsLoader(MirroredWithFlags.self, providers: [MemoryProvider(values: ["number": 5])])
        try loader.validate()
        #expect(loader.number == 5)
        func issue<Flags: FlagCollectionProtocol>(of type: Flags.Type) -> FlagError? {
            let recorder = IssueRecorder()
            _ = FlagsLoader(type, providers: [], issueReporter: recorder.reporter)
            #expect(recorder.issues.count == 1)
            return recorder.issues.first
        }
        #expect(issue(of: MirroredWithoutFlags.self)?.code == .unreachableFlag)
        for hidden in [issue(of: MirroredEmpty.self), issue(of: MirroredNameless.self)] {
            #expect(hidden?.code == .missingReflection && hidden?.message.contains("customMirror") == true)
        }
    }
}

private struct MirroredWithoutFlags: FlagCollectionProtocol, CustomReflectable {
    @Flag(default: 1) var number: Int
    var customMirror: Mirror { Mirror(self, children: ["summary": "hidden"]) }
}

private struct MirroredEmpty: FlagCollectionProtocol, CustomReflectable {
    @Flag(default: 1) var number: Int
    var customMirror: Mirror { Mirror(self, children: []) }
}

private struct MirroredNameless: FlagCollectionProtocol, CustomReflectable {
    @Flag(default: 1) var number: Int
    var customMirror: Mirror { Mirror(self, unlabeledChildren: [_number]) }
}

private struct MirroredWithFlags: FlagCollectionProtocol, CustomReflectable {
    @Flag(default: 1) var number: Int
    var customMirror: Mirror { Mirror(self, children: ["_number": _number]) }
}
