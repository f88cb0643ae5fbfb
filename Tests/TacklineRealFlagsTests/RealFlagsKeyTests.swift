import TacklineCore
import TacklineRealFlags
import Testing

@Suite("RealFlags' key transforms")
struct RealFlagsKeyTests {
    /// What its expression `([a-z0-9])([A-Z])` makes of names, replaced by `$1_$2` and in small letters.
    @Test("begin a word where RealFlags does")
    func snakeCase() {
        let cases = [
            ("isURLValid", "is_urlvalid"), ("iOSOnly", "i_osonly"), ("allowsSSON", "allows_sson"),
            ("HTTPServerURL", "httpserver_url"), ("boomFeature", "boom_feature"), ("x", "x"), ("URL", "url"),
            ("thirdLevelFlag2", "third_level_flag2"), ("flag2Level", "flag2_level"), ("aBcD", "a_bc_d"),
            ("already_snakeCase", "already_snake_case"), ("_private", "_private"), ("a_B", "a_b"), ("", ""),
            // Its expression knows ASCII only.
            ("größeÄndern", "größeändern"), ("éB", "éb"),
        ]
        for (name, expected) in cases {
            #expect(KeyConfiguration.Transform.realFlagsSnakeCase(name) == expected, "\(name)")
            #expect(
                KeyConfiguration.Transform.realFlagsKebabCase(name.replacing("_", with: ""))
                    == KeyConfiguration.Transform.realFlagsSnakeCase(name.replacing("_", with: "")).replacing(
                        "_", with: "-"))
        }
    }

    @Test("keep the keys of an app that had them")
    func keys() {
        let flags = FlagsLoader(
            AppFlags.self, keyConfiguration: KeyConfiguration(prefix: "myapp", keyTransform: .realFlagsSnakeCase),
            providers: [])
        #expect(flags.$isURLValid.keyPath == "myapp/is_urlvalid")
        #expect(flags.$iOSOnly.keyPath == "myapp/i_osonly")
        #expect(flags.secrets.$maximumURLCount.keyPath == "myapp/secrets/maximum_urlcount")
    }
}
