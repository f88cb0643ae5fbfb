#if Peers
    import Tackline

    struct AppFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "The new checkout") var checkout: Bool
        @FlagCollection(description: "The shop") var shop: ShopFlags
    }

    struct ShopFlags: FlagCollectionProtocol {
        @FlagCollection(description: "The cart") var cart: CartFlags
    }

    struct CartFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "The new cart") var isNew: Bool
    }

    struct FourFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "a") var a: Bool
        @Flag(default: false, description: "b") var b: Bool
        @Flag(default: false, description: "c") var c: Bool
        @Flag(default: false, description: "d") var d: Bool
    }

    struct TenFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "a") var a: Bool
        @Flag(default: false, description: "b") var b: Bool
        @Flag(default: false, description: "c") var c: Bool
        @Flag(default: false, description: "d") var d: Bool
        @Flag(default: false, description: "e") var e: Bool
        @Flag(default: false, description: "f") var f: Bool
        @Flag(default: false, description: "g") var g: Bool
        @Flag(default: false, description: "h") var h: Bool
        @Flag(default: false, description: "i") var i: Bool
        @Flag(default: false, description: "j") var j: Bool

        var areOn: Int { [a, b, c, d, e, f, g, h, i, j].count { $0 } }
    }

    struct HundredFlags: FlagCollectionProtocol {
        @FlagCollection(description: "0") var g0: TenFlags
        @FlagCollection(description: "1") var g1: TenFlags
        @FlagCollection(description: "2") var g2: TenFlags
        @FlagCollection(description: "3") var g3: TenFlags
        @FlagCollection(description: "4") var g4: TenFlags
        @FlagCollection(description: "5") var g5: TenFlags
        @FlagCollection(description: "6") var g6: TenFlags
        @FlagCollection(description: "7") var g7: TenFlags
        @FlagCollection(description: "8") var g8: TenFlags
        @FlagCollection(description: "9") var g9: TenFlags

        var areOn: Int {
            [g0.areOn, g1.areOn, g2.areOn, g3.areOn, g4.areOn, g5.areOn, g6.areOn, g7.areOn, g8.areOn, g9.areOn].reduce(
                0, +)
        }
    }
#endif
