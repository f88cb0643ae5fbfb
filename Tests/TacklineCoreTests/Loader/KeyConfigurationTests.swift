import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct KeyedFlags: FlagCollectionProtocol {
    @Flag(key: .absolute("top.level"), default: 1) var absolute: Int
    @Flag(key: .name("otherName"), default: 2) var named: Int
    @FlagCollection(keyConfiguration: .snakeCase) var snakeGroup: InnerFlags
    @FlagCollection(key: "Own", keyConfiguration: .skip) var keyedGroup: InnerFlags
    @FlagCollection(keyConfiguration: .kebabCase) var outerGroup: OuterFlags
}

private struct OuterFlags: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .skip) var skippedGroup: InnerFlags
}

private struct InnerFlags: FlagCollectionProtocol {
    @Flag(default: 3) var innerFlag: Int
}

@Suite("A key configuration")
struct KeyConfigurationTests {
    @Test("splits absolute keys and its prefix at the separator, and transforms neither")
    func separator() throws {
        let keys = KeyConfiguration(prefix: "My App.v2", pathSeparator: ".", keyTransform: .kebabCase)
        let memory = MemoryProvider(values: ["top": ["level": 10], "My App": ["v2": ["other-name": 20]]])
        let loader = FlagsLoader(KeyedFlags.self, keyConfiguration: keys, providers: [memory])
        try loader.validate()
        #expect(
            loader.root.allFlags.map(\.keyPath.text) == [
                "top.level", "My App.v2.other-name", "My App.v2.snake_group.inner-flag", "My App.v2.Own.inner-flag",
                "My App.v2.outer-group.inner-flag",
            ])
        #expect(loader.$absolute.keyPath?.components == ["top", "level"])
        #expect(loader.absolute == 10 && loader.named == 20)
        #expect(loader.flag(at: "My App.v2.other-name")?.property == "named")
    }

    @Test("gives the root the prefix as its key path, and a skipped group that of the group around it")
    func groups() {
        let loader = FlagsLoader(KeyedFlags.self, keyConfiguration: KeyConfiguration(prefix: "a/b"), providers: [])
        #expect(loader.root.keyPath == "a/b" && loader.root.keyPath.components == ["a", "b"])
        #expect(loader.$outerGroup.keyPath == "a/b/outer-group")
        #expect(loader.outerGroup.$skippedGroup.keyPath == "a/b/outer-group")
        #expect(loader.$keyedGroup.keyPath == "a/b/Own")
        #expect(FlagsLoader(KeyedFlags.self, providers: []).root.keyPath.components == [])
    }

    @Test("of a collection is used by every loader and helper, unless a loader has its own")
    func ofCollection() {
        struct Flags: FlagCollectionProtocol {
            static let keyConfiguration = KeyConfiguration(prefix: "app", pathSeparator: ".", keyTransform: .kebabCase)
            @Flag(default: 1) var innerFlag: Int
            @FlagCollection var group: InnerFlags
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

    @Test("is reported if a part of its prefix or of an absolute key is empty")
    func emptyParts() {
        struct Flags: FlagCollectionProtocol {
            @Flag(key: .absolute("a//b"), default: 1) var absolute: Int
        }
        let (prefix, absolute) = (IssueRecorder(), IssueRecorder())
        _ = FlagsLoader(
            InnerFlags.self, keyConfiguration: KeyConfiguration(prefix: "a//b"), providers: [],
            issueReporter: prefix.reporter)
        #expect(prefix.codes == [.emptyKeyComponent])
        _ = FlagsLoader(Flags.self, providers: [], issueReporter: absolute.reporter)
        #expect(absolute.codes == [.emptyKeyComponent])
    }
}
