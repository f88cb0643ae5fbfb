import TacklineLoopback

/// A document of one flag, `a`, with its tag.
func good(_ value: Int = 1) -> LoopbackReply {
    .response(.json(#"{"a": \#(value)}"#, etag: "\"\(value)\""))
}

/// A 200 with exactly this body and a tag of its own.
func document(_ body: [UInt8], type: String? = "application/json", tag: String? = "\"bad\"") -> LoopbackReply {
    var headers: [LoopbackHeader] = []
    if let type { headers.append(LoopbackHeader("Content-Type", type)) }
    if let tag { headers.append(LoopbackHeader("ETag", tag)) }
    return .response(LoopbackResponse(status: 200, headers: headers, body: body))
}

func document(_ text: String, type: String? = "application/json", tag: String? = "\"bad\"") -> LoopbackReply {
    document(Array(text.utf8), type: type, tag: tag)
}

func status(_ status: Int, _ headers: [LoopbackHeader] = [], body: String = "") -> LoopbackReply {
    .response(LoopbackResponse(status: status, headers: headers, body: Array(body.utf8)))
}
