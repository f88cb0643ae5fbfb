import TacklineCore
import Testing

@Suite("A key transform")
struct KeyTransformTests {
    @Test("splits names at changes of case and around acronyms")
    func snakeCase() {
        let cases = [
            ("allowsSSON", "allows_sson"), ("HTTPServerURL", "http_server_url"), ("isASquare", "is_a_square"),
            ("thirdLevelFlag2", "third_level_flag2"), ("X", "x"), ("URL", "url"), ("iPhone15Pro", "i_phone15_pro"),
            ("already_snake_case", "already_snake_case"), ("isA", "is_a"), ("usesURLs", "uses_urls"),
            ("userIDsOnly", "user_ids_only"), ("__x", "x"), ("_", "_"), ("iOSVersion", "i_os_version"),
            // Letters of every script are kept.
            ("größeÄndern", "größe_ändern"), ("проверкаПути", "проверка_пути"), ("機能フラグ", "機能フラグ"),
            ("fête🎉On", "fête🎉_on"), ("e\u{301}cole", "e\u{301}cole"),
        ]
        for (name, expected) in cases {
            #expect(KeyConfiguration.Transform.snakeCase(name) == expected, "\(name)")
        }
    }

    @Test("joins words with hyphens in kebab case, changes nothing with none, and splits less as RealFlags does")
    func others() {
        #expect(KeyConfiguration.Transform.kebabCase("HTTPServerURL") == "http-server-url")
        #expect(KeyConfiguration.Transform.none("HTTPServerURL") == "HTTPServerURL")
        #expect(KeyConfiguration.Transform.snakeCaseOfRealFlags("HTTPServerURL2Go_ID") == "httpserver_url2_go_id")
        #expect(KeyConfiguration.Transform.words(in: "HTTPServer_URLs2") == ["HTTP", "Server", "URLs2"])
    }
}
