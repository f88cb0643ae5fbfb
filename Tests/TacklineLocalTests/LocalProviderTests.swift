import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A local provider", .hangLimit)
struct LocalProviderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("takes absurd delays for none, or for long ones")
    func absurdDelays() throws {
        for seconds in [Int64.min, -10_000_000_000, Int64.max] {
            let provider = LocalProvider(file: folder.file("\(seconds).json"), writeDelay: .seconds(seconds))
            try provider.setValue(true, for: "a")
            #expect(provider.value(for: "a") == true)
        }
    }

    @Test("has no values and is ready where there is no file, and makes none by being read")
    func absentFile() throws {
        let provider = LocalProvider(file: folder.file("a.json"))
        #expect(provider.value(at: "x") == nil)
        #expect(provider.status == .ready)
        #expect(provider.document == FlagDocument())
        #expect(try folder.names() == [])
    }

    @Test("keeps a value for the next provider of the same file")
    func persists() throws {
        let url = folder.file("a.json")
        try LocalProvider(file: url).setValue(true, for: "secrets/boom_feature")
        #expect(LocalProvider(file: url).value(at: "secrets/boom_feature") == true)
        #expect(try folder.text("a.json") == "{\n  \"secrets/boom_feature\": true\n}\n")
        #expect(try folder.names() == ["a.json"])
    }

    @Test("makes the folders that lead to its file with the first write")
    func makesFolders() throws {
        let url = folder.file("one/two/a.json")
        let provider = LocalProvider(file: url)
        #expect(try folder.names() == [])
        try provider.setValue(1, for: "x")
        #expect(try folder.text("one/two/a.json") == "{\n  \"x\": 1\n}\n")
    }

    @Test("keeps keys that no flag uses, nested shapes and the kind of each number")
    func foreignKeys() throws {
        let url = try folder.file("a.json", #"{"z": {"deep": [1, 1.0, null]}, "group": {"a": 1}, "other": "x"}"#)
        let provider = LocalProvider(file: url)
        try provider.setValues(["group/b": 2, "other": nil])
        #expect(
            try folder.text("a.json") == """
                {
                  "group": {
                    "a": 1,
                    "b": 2
                  },
                  "z": {
                    "deep": [
                      1,
                      1.0,
                      null
                    ]
                  }
                }

                """
        )
    }

    @Test("writes several values at once, and removes them all with one call")
    func severalValues() throws {
        let provider = LocalProvider(file: folder.file("a.json"))
        let changes = try provider.setValues(["a": 1, "b": "two", "c": nil])
        #expect(changes.map(\.key) == ["a", "b"])
        try provider.resetAllData()
        #expect(provider.document == FlagDocument())
        #expect(try folder.text("a.json") == "{}\n")
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

    @Test("refuses what JSON cannot hold, names flag and value, and changes nothing")
    func unsupportedValue() throws {
        let provider = LocalProvider(file: folder.file("a.json"))
        try provider.setValue(1, for: "x")
        let error = #expect(throws: FlagError.self) { try provider.setValue(.double(.infinity), for: "x") }
        #expect(error?.code == .unsupportedValue)
        #expect(error?.key == "x")
        #expect(error?.value == .double(.infinity))
        #expect(provider.value(at: "x") == 1)
        #expect(try folder.text("a.json") == "{\n  \"x\": 1\n}\n")
        #expect(try folder.names() == ["a.json"])
    }

    @Test("refuses to write what it could not read again")
    func tooDeep() throws {
        let provider = LocalProvider(file: folder.file("a.json"))
        let deep = (0..<EncodedFlagValue.maximumDepth).reduce(EncodedFlagValue.bool(true)) { value, _ in .array([value])
        }
        let error = #expect(throws: FlagError.self) { try provider.setValue(deep, for: "x") }
        #expect(error?.code == .unsupportedValue)
        #expect(throws: FlagError.self) {
            try provider.setValue(true, for: FlagKeyPath(String(repeating: "k", count: 2000)))
        }
        #expect(try folder.names() == [])
    }

    @Test("says file, line and column of a mistake, gives no values, and does not write")
    func brokenFile() throws {
        let text = "{\n  \"a\": 1,\n}"
        let url = try folder.file("a.json", text)
        let provider = LocalProvider(file: url, name: "overrides")
        #expect(provider.document == FlagDocument())
        guard case .failed(let status) = provider.status else {
            Issue.record("the status is \(provider.status)")
            return
        }
        #expect(status.code == .unreadable)
        #expect(
            status.description == """
                Provider "overrides": \(url.path) cannot be read: line 3, column 1: a comma stands before the closing \
                brace; remove the comma. Correct the file; until then it is neither used nor overwritten. [unreadable]
                """
        )
        let error = #expect(throws: FlagError.self) { try provider.setValue(1, for: "b") }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("move it to another name") == true)
        #expect(try folder.text("a.json") == text)
        #expect(try folder.names() == ["a.json"])
        // Once corrected, it is used again.
        try Data("{\"a\": 1}".utf8).write(to: url)
        try provider.setValue(1, for: "b")
        #expect(provider.document?.root == ["a": 1, "b": 1])
        #expect(provider.status == .ready)
    }

    @Test("never takes an empty file, or one of zeros as a crash of the system leaves it, for one without values")
    func emptyFile() throws {
        for text in ["", "\0\0\0\0"] {
            let provider = LocalProvider(file: try folder.file("a.json", text))
            #expect(throws: FlagError.self) { try provider.setValue(1, for: "b") }
            #expect(try folder.text("a.json") == text && provider.status != .ready)
        }
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
