import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct Leaf: FlagCollectionProtocol {
    @Flag(default: 1) var someFlag: Int
    @Flag(key: "renamed", default: 2) var other: Int
    @Flag(key: .absolute("top/level"), default: 3) var absolute: Int
}

private struct Tree: FlagCollectionProtocol {
    @FlagCollection var plainGroup: Leaf
    @FlagCollection(keyConfiguration: .kebabCase) var kebabGroup: Nested
    @FlagCollection(keyConfiguration: .custom("own Name")) var customGroup: Nested
    @FlagCollection(key: "byKey") var keyedGroup: Nested
    @FlagCollection(keyConfiguration: .skip) var skippedGroup: Nested
}

private struct Nested: FlagCollectionProtocol {
    @Flag(default: 4) var innerFlag: Int
}

@Suite("Keys of a collection")
struct DeclarationTests {
    @Test("consist of the names of collections and properties, as each of them is configured")
    func keyPaths() throws {
        let loader = FlagsLoader(Tree.self, providers: [])
        try loader.validate()
        #expect(
            loader.root.allFlags.map(\.keyPath.text) == [
                "plain_group/some_flag", "plain_group/renamed", "top/level", "kebab-group/inner_flag",
                "own Name/inner_flag", "byKey/inner_flag", "inner_flag",
            ])
        #expect(loader.root.allFlags.map(\.property).prefix(2) == ["plainGroup.someFlag", "plainGroup.other"])
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

    @Test("follow the prefix, the separator and the transform of the loader")
    func configuration() throws {
        let configuration = KeyConfiguration(prefix: "myapp", pathSeparator: ".", keyTransform: .kebabCase)
        let loader = FlagsLoader(Tree.self, keyConfiguration: configuration, providers: [MemoryProvider()])
        try loader.validate()
        #expect(
            loader.root.allFlags.map(\.keyPath.text) == [
                "myapp.plain-group.some-flag", "myapp.plain-group.renamed", "top/level", "myapp.kebab-group.inner-flag",
                "myapp.own Name.inner-flag", "myapp.byKey.inner-flag", "myapp.inner-flag",
            ])
        try loader.$plainGroup.flags.first?.setValue(7)
        #expect(loader.plainGroup.someFlag == 7)
        #expect(loader.providers.first?.value(at: "myapp.plain-group.some-flag", separator: ".") == 7)
        #expect(loader.flag(at: "myapp.plain-group.some-flag")?.value == 7)
        // The shape of the type is kept, and not its keys.
        #expect(FlagsLoader(Tree.self, providers: []).root.allFlags.first?.keyPath == "plain_group/some_flag")
    }

    @Test("are reported all at once if they have mistakes, each with its fix")
    func mistakes() {
        struct Mistaken: FlagCollectionProtocol {
            @Flag(key: "same", default: 1) var first: Int
            @Flag(key: "same", default: 2) var second: Int
            @Flag(key: "a/b", default: 3) var slashed: Int
            @Flag(key: "", default: 4) var empty: Int
            @FlagCollection(key: "x/y") var group: Nested
        }
        let recorder = IssueRecorder()
        let memory = MemoryProvider(values: ["same": 9])
        let loader = FlagsLoader(Mistaken.self, providers: [memory], issueReporter: recorder.reporter)
        #expect(
            recorder.codes == [
                .separatorInKeyComponent, .duplicateKey, .separatorInKeyComponent, .emptyKeyComponent,
            ])
        let error = #expect(throws: FlagError.self) { try loader.validate() }
        #expect(error?.underlying == recorder.issues)
        #expect(error?.description.contains("Give one of them a key of its own with @Flag(key:)") == true)
        #expect(error?.description.contains("\"first\"") == true && error?.description.contains("\"second\"") == true)
        #expect(loader.first == 9 && loader.second == 9 && loader.slashed == 3 && loader.empty == 4)
        memory.setValue(10, for: "same")
        #expect(loader.first == 10 && loader.second == 10 && loader.flag(at: "same")?.property == "first")
    }

    @Test("are reported if their separator is empty")
    func emptySeparator() {
        let recorder = IssueRecorder()
        _ = FlagsLoader(
            Tree.self, keyConfiguration: KeyConfiguration(pathSeparator: ""), providers: [],
            issueReporter: recorder.reporter)
        #expect(recorder.codes.contains(.emptySeparator))
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
        let issues = [
            issue(of: MirroredWithoutFlags.self), issue(of: MirroredEmpty.self), issue(of: MirroredNameless.self),
        ]
        #expect(issues.map(\.?.code) == [.unreachableFlag, .missingReflection, .missingReflection])
        for issue in issues { #expect(issue?.message.contains("CustomReflectable") == true) }
        #expect(issues.last??.message.contains("-disable-reflection-metadata") == false)
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
