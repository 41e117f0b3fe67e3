/** `std.net`, `std.http`, `std.rpc`, `std.wire`. Backslashes of Pluto are doubled here. */
export const serviceModules = {
  net: `import std.socket

pub error NetError { message: string }

pub class TcpConnection {
    fd: int

    fn read(self, max: int) string { return socket.read(self.fd, max) }
    fn write(self, text: string) int { return socket.write(self.fd, text) }
    fn close(self) { socket.close(self.fd) }
}

pub class TcpListener {
    fd: int

    fn accept(self) TcpConnection { return TcpConnection { fd: socket.accept(self.fd) } }
    fn port(self) int { return socket.get_port(self.fd) }
    fn close(self) { socket.close(self.fd) }
}

pub fn listen(host: string, port: int) TcpListener {
    let fd = socket.create(2, 1, 0)
    socket.set_reuseaddr(fd)
    socket.bind(fd, host, port)
    socket.listen(fd, 128)
    return TcpListener { fd: fd }
}

pub fn connect(host: string, port: int) TcpConnection {
    let fd = socket.create(2, 1, 0)
    socket.connect(fd, host, port)
    return TcpConnection { fd: fd }
}
`,
  http: `import std.socket

pub error HttpError { message: string }

extern fn __pluto_http_read_request(fd: int) [string]

pub class Request {
    method: string
    path: string
    headers_raw: string
    body: string

    fn header(self, name: string) string {
        for line in self.headers_raw.split("\\n") {
            let at = line.index_of(":")
            if at > 0 && line.substring(0, at).to_lower() == name.to_lower() {
                return line.substring(at + 1, line.len() - at - 1).trim()
            }
        }
        return ""
    }
}

pub class Response {
    status: int
    reason: string
    content_type: string
    body: string

    fn to_string(self) string {
        let head = f"HTTP/1.1 {self.status} {self.reason}\\r\\nContent-Type: {self.content_type}\\r\\n"
        return head + f"Content-Length: {self.body.len()}\\r\\nConnection: close\\r\\n\\r\\n{self.body}"
    }
}

pub fn response(status: int, reason: string, content_type: string, body: string) Response {
    return Response { status: status, reason: reason, content_type: content_type, body: body }
}
pub fn ok(body: string) Response { return response(200, "OK", "text/plain", body) }
pub fn ok_json(body: string) Response { return response(200, "OK", "application/json", body) }
pub fn not_found() Response { return response(404, "Not Found", "text/plain", "Not Found") }
pub fn bad_request(message: string) Response { return response(400, "Bad Request", "text/plain", message) }

pub class HttpConnection {
    fd: int

    fn read_request(self) Request {
        let parts = __pluto_http_read_request(self.fd)
        if parts.len() < 4 { raise HttpError { message: "the request cannot be read" } }
        return Request { method: parts[0], path: parts[1], headers_raw: parts[2], body: parts[3] }
    }

    fn send_response(self, response: Response) {
        if socket.write(self.fd, response.to_string()) < 0 {
            raise HttpError { message: "the response cannot be sent" }
        }
    }

    fn close(self) { socket.close(self.fd) }
}

pub class HttpServer {
    fd: int

    fn accept(self) HttpConnection {
        let fd = socket.accept(self.fd)
        if fd < 0 { raise HttpError { message: "no connection can be accepted" } }
        return HttpConnection { fd: fd }
    }

    fn port(self) int { return socket.get_port(self.fd) }
    fn close(self) { socket.close(self.fd) }
}

pub fn listen(host: string, port: int) HttpServer {
    let fd = socket.create(2, 1, 0)
    socket.set_reuseaddr(fd)
    if socket.bind(fd, host, port) < 0 { raise HttpError { message: f"cannot bind port {port}" } }
    if socket.listen(fd, 128) < 0 { raise HttpError { message: f"cannot listen on port {port}" } }
    return HttpServer { fd: fd }
}
`,
  rpc: `extern fn __pluto_http_post(url: string, body: string, timeout_ms: int) string

pub fn http_post(url: string, body: string) string { return __pluto_http_post(url, body, 30000) }
pub fn http_post_with_timeout(url: string, body: string, timeout_ms: int) string {
    return __pluto_http_post(url, body, timeout_ms)
}
`,
  wire: `import std.json

pub error WireError { message: string }

pub enum WireValue {
    Int { value: int }
    Float { value: float }
    Bool { value: bool }
    Str { value: string }
    Array { items: [WireValue] }
    Record { keys: [string], values: [WireValue] }
    Variant { name: string, keys: [string], values: [WireValue] }
    Null
}

pub fn wire_int(value: int) WireValue { return WireValue.Int { value: value } }
pub fn wire_float(value: float) WireValue { return WireValue.Float { value: value } }
pub fn wire_bool(value: bool) WireValue { return WireValue.Bool { value: value } }
pub fn wire_string(value: string) WireValue { return WireValue.Str { value: value } }
pub fn wire_array(items: [WireValue]) WireValue { return WireValue.Array { items: items } }
pub fn wire_record(keys: [string], values: [WireValue]) WireValue {
    return WireValue.Record { keys: keys, values: values }
}
pub fn wire_variant(name: string, keys: [string], values: [WireValue]) WireValue {
    return WireValue.Variant { name: name, keys: keys, values: values }
}
pub fn wire_null() WireValue { return WireValue.Null }

pub trait WireFormat {
    fn serialize(self, value: WireValue) string
    fn deserialize(self, text: string) WireValue
}

pub trait Encoder {
    fn encode_int(mut self, value: int)
    fn encode_float(mut self, value: float)
    fn encode_bool(mut self, value: bool)
    fn encode_string(mut self, value: string)
}

pub trait Decoder {
    fn decode_int(mut self) int
    fn decode_float(mut self) float
    fn decode_bool(mut self) bool
    fn decode_string(mut self) string
}

pub class WireValueEncoder impl Encoder {
    items: [WireValue]

    fn encode_int(mut self, value: int) { self.items.push(wire_int(value)) }
    fn encode_float(mut self, value: float) { self.items.push(wire_float(value)) }
    fn encode_bool(mut self, value: bool) { self.items.push(wire_bool(value)) }
    fn encode_string(mut self, value: string) { self.items.push(wire_string(value)) }
    fn result(self) WireValue { return wire_array(self.items) }
}

pub class WireValueDecoder impl Decoder {
    items: [WireValue]
    at: int

    fn next(mut self) WireValue {
        if self.at >= self.items.len() { raise WireError { message: "nothing is left to decode" } }
        self.at = self.at + 1
        return self.items[self.at - 1]
    }

    fn decode_int(mut self) int {
        let value = self.next()!
        match value {
            WireValue.Int { value: found } { return found }
            WireValue.Float { value: _ } {}
            WireValue.Bool { value: _ } {}
            WireValue.Str { value: _ } {}
            WireValue.Array { items: _ } {}
            WireValue.Record { keys: _, values: _v } {}
            WireValue.Variant { name: _, keys: _k, values: _v } {}
            WireValue.Null {}
        }
        raise WireError { message: "int expected" }
    }

    fn decode_float(mut self) float {
        let value = self.next()!
        match value {
            WireValue.Float { value: found } { return found }
            WireValue.Int { value: found } { return found as float }
            WireValue.Bool { value: _ } {}
            WireValue.Str { value: _ } {}
            WireValue.Array { items: _ } {}
            WireValue.Record { keys: _, values: _v } {}
            WireValue.Variant { name: _, keys: _k, values: _v } {}
            WireValue.Null {}
        }
        raise WireError { message: "float expected" }
    }

    fn decode_bool(mut self) bool {
        let value = self.next()!
        match value {
            WireValue.Bool { value: found } { return found }
            WireValue.Int { value: _ } {}
            WireValue.Float { value: _ } {}
            WireValue.Str { value: _ } {}
            WireValue.Array { items: _ } {}
            WireValue.Record { keys: _, values: _v } {}
            WireValue.Variant { name: _, keys: _k, values: _v } {}
            WireValue.Null {}
        }
        raise WireError { message: "bool expected" }
    }

    fn decode_string(mut self) string {
        let value = self.next()!
        match value {
            WireValue.Str { value: found } { return found }
            WireValue.Int { value: _ } {}
            WireValue.Float { value: _ } {}
            WireValue.Bool { value: _ } {}
            WireValue.Array { items: _ } {}
            WireValue.Record { keys: _, values: _v } {}
            WireValue.Variant { name: _, keys: _k, values: _v } {}
            WireValue.Null {}
        }
        raise WireError { message: "string expected" }
    }
}

fn to_json(value: WireValue) json.Json {
    match value {
        WireValue.Int { value: found } { return json.int(found) }
        WireValue.Float { value: found } { return json.float(found) }
        WireValue.Bool { value: found } { return json.bool(found) }
        WireValue.Str { value: found } { return json.string(found) }
        WireValue.Array { items } {
            let mut list = json.array()
            for item in items { list.push(to_json(item)) }
            return list
        }
        WireValue.Record { keys, values } { return record_of(keys, values) }
        WireValue.Variant { name, keys, values } {
            let mut made = record_of(keys, values)
            made.set("@variant", json.string(name))
            return made
        }
        WireValue.Null { return json.null() }
    }
}

fn record_of(keys: [string], values: [WireValue]) json.Json {
    let mut made = json.object()
    for i in 0..keys.len() { made.set(keys[i], to_json(values[i])) }
    return made
}

fn from_json(node: json.Json) WireValue {
    if node.is_bool() { return wire_bool(node.get_bool()) }
    if node.is_int() { return wire_int(node.get_int()) }
    if node.is_float() { return wire_float(node.get_float()) }
    if node.is_string() { return wire_string(node.get_string()) }
    if node.is_null() { return wire_null() }
    let mut keys: [string] = []
    let mut items: [WireValue] = []
    for i in 0..node.len() {
        if !node.is_object() {
            items.push(from_json(node.at(i)))
        } else if node.keys[i] != "@variant" {
            keys.push(node.keys[i])
            items.push(from_json(node.at(i)))
        }
    }
    if node.is_array() { return wire_array(items) }
    let variant = node.get("@variant")
    if variant.is_string() { return wire_variant(variant.get_string(), keys, items) }
    return wire_record(keys, items)
}

pub class JsonWireFormat impl WireFormat {
    fn serialize(self, value: WireValue) string { return to_json(value).to_string() }

    fn deserialize(self, text: string) WireValue {
        let node = json.parse(text) catch e { raise WireError { message: e.message } }
        return from_json(node)
    }
}
`,
} as const;
