import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A local provider", .hangLimit)
struct LocalProviderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("has no values and is ready where there is no file, and makes the file and its folders with the first write")
    func absentFile() throws {
        let url = folder.file("one/two/a.json")
        let provider = LocalProvider(file: url)
        #expect(provider.value(at: "x") == nil && provider.status == .ready && provider.document == FlagDocument())
        try provider.setValue(nil, for: "y")
        try provider.resetAllData()
        #expect(try folder.names() == [])
        try provider.setValue(true, for: "secrets/boom_feature")
        #expect(try folder.text("one/two/a.json") == "{\n  \"secrets/boom_feature\": true\n}\n")
        #expect(LocalProvider(file: url).value(at: "secrets/boom_feature") == true)
        #expect(try folder.names() == ["one"])
    }

    @Test("takes absurd delays for none, or for long ones")
    func absurdDelays() throws {
        for seconds in [Int64.min, -10_000_000_000, Int64.max] {
            let provider = LocalProvider(file: folder.file("\(seconds).json"), writeDelay: .seconds(seconds))
            try provider.setValue(true, for: "a")
            #expect(provider.value(for: "a") == true)
        }
    }

    @Test("keeps keys that no flag uses, nested shapes and the kind of each number")
    func foreignKeys() throws {
        let url = try folder.file("a.json", #"{"z": {"deep": [1, 1.0, null]}, "group": {"a": 1}, "other": "x"}"#)
        let provider = LocalProvider(file: url)
        #expect(try provider.setValues(["group/b": 2, "other": nil]).map(\.key) == ["group/b", "other"])
        #expect(
            try folder.text("a.json").filter { !$0.isWhitespace }
                == #"{"group":{"a":1,"b":2},"z":{"deep":[1,1.0,null]}}"#)
        try provider.resetAllData()
        #expect(try provider.document == FlagDocument() && folder.text("a.json") == "{}\n")
    }

    @Test("answers with a date and data as they were set, and gives them back as text after a relaunch")
    func richValues() throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(file: url)
        let date = EncodedFlagValue.date(Date(timeIntervalSinceReferenceDate: 0.25))
        try provider.setValues(["date": date, "group/data": .data(Data([1, 2]))])
        try provider.reload()
        #expect(provider.value(at: "date") == date)
        #expect(provider.value(at: "group/data") == .data(Data([1, 2])))
        let relaunched = LocalProvider(file: url)
        #expect(relaunched.value(at: "date") == "2001-01-01T00:00:00.25Z")
        #expect(relaunched.value(at: "group/data") == "AQI=")
    }

    @Test("gives any values back as they were after a relaunch, in each format that holds them")
    func arbitraryValues() throws {
        var arbitrary = ArbitraryValues(seed: 1)
        for name in ["a.json", "a.plist", "a.bplist"] {
            var values: [FlagKeyPath: EncodedFlagValue?] = [:]
            for number in 0..<300 {
                let value = name == "a.json" ? arbitrary.jsonValue() : arbitrary.propertyListValue()
                values[FlagKeyPath("value\(number)")] = .some(value)
            }
            try LocalProvider(file: folder.file(name)).setValues(values)
            let relaunched = LocalProvider(file: folder.file(name))
            for (key, value) in values { #expect(relaunched.value(for: key) == value, "\(name) \(key)") }
        }
    }

    @Test("refuses what its file could not hold or give back, names flag and value, and changes nothing")
    func unsupportedValues() throws {
        let deep = (0..<EncodedFlagValue.maximumDepth).reduce(EncodedFlagValue.bool(true)) { value, _ in .array([value])
        }
        let longKey = FlagKeyPath(String(repeating: "k", count: 2000))
        for delay in [nil, Duration.seconds(3600)] {
            for name in ["a.json", "a.plist", "a.bplist"] {
                let provider = LocalProvider(file: folder.file(name), writeDelay: delay)
                try provider.setValue(1, for: "group/x")
                let isJSON = name == "a.json"
                let refused: EncodedFlagValue = isJSON ? .double(.infinity) : .null
                let error = #expect(throws: FlagError.self) { try provider.setValue(refused, for: "group/x") }
                #expect(error?.code == .unsupportedValue && error?.key == "group/x" && error?.value == refused)
                #expect(isJSON || error?.message.contains("it has no null; reset the flag instead") == true)
                #expect(throws: FlagError.self) { try provider.setValue(deep, for: "x") }
                if isJSON { #expect(throws: FlagError.self) { try provider.setValue(true, for: longKey) } }
                try provider.flush()
                #expect(provider.value(at: "group/x") == 1 && provider.document?.root.count == 1)
                #expect(LocalProvider(file: provider.file).document?.root.count == 1)
            }
        }
    }

    @Test("says file, line and column of a mistake, gives no values, and does not write")
    func brokenFile() throws {
        let text = "{\n  \"a\": 1,\n}"
        let url = try folder.file("a.json", text)
        let provider = LocalProvider(file: url, name: "overrides")
        #expect(provider.document == FlagDocument())
        #expect(
            "\(provider.status)" == """
                failed: Provider "overrides": \(url.path) cannot be read: line 3, column 1: a comma stands before the closing \
                brace; remove the comma. Correct the file; until then it is neither used nor overwritten. [unreadable]
                """
        )
        let error = #expect(throws: FlagError.self) { try provider.setValue(1, for: "b") }
        #expect(
            error?.message == """
                Provider "overrides", flag "b": \(url.path) was not written, and nothing has changed: what it holds now \
                cannot be read: line 3, column 1: a comma stands before the closing brace; remove the comma. Correct the \
                file, or move it to another name and start anew.
                """)
        #expect(try folder.text("a.json") == text && folder.names() == ["a.json"])
        // Once corrected, it is used again.
        try Data("{\"a\": 1}".utf8).write(to: url)
        try provider.setValue(1, for: "b")
        #expect(provider.document?.root == ["a": 1, "b": 1])
        #expect(provider.status == .ready)
    }

    @Test("has a deferred value in force at once, and in the file after a flush")
    func deferredWrite() throws {
        let url = folder.file("a.json")
        let provider = LocalProvider(file: url)
        let lock = try #require(HeldLock(of: url))
        // A write that waited for the file would wait for the lock.
        try DeferredFlagWrites.$areOn.withValue(true) { try provider.setValue(1, for: "a") }
        #expect(provider.value(for: "a") == 1)
        #expect(LocalProvider(file: url).value(for: "a") == nil)
        lock.release()
        try provider.flush()
        #expect(LocalProvider(file: url).value(for: "a") == 1)
    }
}
