#if Web
    import TacklineCore

    struct WebFlags: FlagCollectionProtocol {
        @Flag(
            default: false,
            description: .init(name: "<b onclick=\"boo()\">Bold</b>", description: "</script><script>boo()"))
        var isOn: Bool

        @Flag(default: 3, description: "A small number")
        var attempts: UInt8

        @Flag(default: "plain", description: "A text")
        var title: String
    }
#endif
