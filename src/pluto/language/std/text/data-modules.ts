/** `std.math`, `std.collections`, `std.json`. Backslashes of Pluto are doubled here. */
export const dataModules = {
  math: `pub fn abs(x: int) int {
    if x < 0 { return -x }
    return x
}
pub fn min(a: int, b: int) int {
    if a < b { return a }
    return b
}
pub fn max(a: int, b: int) int {
    if a > b { return a }
    return b
}
pub fn pow(base: int, exponent: int) int {
    if exponent < 0 { return 0 }
    let mut result = 1
    let mut square = base
    let mut rest = exponent
    while rest > 0 {
        if rest % 2 == 1 { result *= square }
        square *= square
        rest /= 2
    }
    return result
}
pub fn clamp(x: int, low: int, high: int) int {
    if x < low { return low }
    if x > high { return high }
    return x
}
pub fn sign(x: int) int {
    if x < 0 { return -1 }
    if x > 0 { return 1 }
    return 0
}
pub fn gcd(a: int, b: int) int {
    let mut x = abs(a)
    let mut y = abs(b)
    while y != 0 {
        let rest = x % y
        x = y
        y = rest
    }
    return x
}
pub fn lcm(a: int, b: int) int {
    if a == 0 || b == 0 { return 0 }
    return abs(a / gcd(a, b) * b)
}
pub fn factorial(n: int) int {
    let mut result = 1
    for i in 2..=n { result *= i }
    return result
}
pub fn PI() float { return 3.141592653589793 }
pub fn E() float { return 2.718281828459045 }
pub fn TAU() float { return 6.283185307179586 }
pub fn clamp_float(x: float, low: float, high: float) float {
    if x < low { return low }
    if x > high { return high }
    return x
}
pub fn is_even(n: int) bool { return n % 2 == 0 }
pub fn is_odd(n: int) bool { return n % 2 != 0 }
pub fn to_radians(degrees: float) float { return degrees * PI() / 180.0 }
pub fn to_degrees(radians: float) float { return radians * 180.0 / PI() }
`,
  collections: `pub class Pair<A, B> {
    first: A
    second: B
}

pub fn map<T, U>(items: [T], f: fn(T) U) [U] {
    let mut out: [U] = []
    for item in items { out.push(f(item)) }
    return out
}
pub fn filter<T>(items: [T], f: fn(T) bool) [T] {
    let mut out: [T] = []
    for item in items {
        if f(item) { out.push(item) }
    }
    return out
}
pub fn fold<T, U>(items: [T], init: U, f: fn(U, T) U) U {
    let mut acc = init
    for item in items { acc = f(acc, item) }
    return acc
}
pub fn reduce<T>(items: [T], f: fn(T, T) T) T {
    let mut acc = items.first()
    for i in 1..items.len() { acc = f(acc, items[i]) }
    return acc
}
pub fn any<T>(items: [T], f: fn(T) bool) bool {
    for item in items {
        if f(item) { return true }
    }
    return false
}
pub fn all<T>(items: [T], f: fn(T) bool) bool {
    for item in items {
        if !f(item) { return false }
    }
    return true
}
pub fn for_each<T>(items: [T], f: fn(T)) {
    for item in items { f(item) }
}
pub fn flat_map<T, U>(items: [T], f: fn(T) [U]) [U] {
    let mut out: [U] = []
    for item in items {
        for one in f(item) { out.push(one) }
    }
    return out
}
pub fn count<T>(items: [T], f: fn(T) bool) int {
    let mut n = 0
    for item in items {
        if f(item) { n++ }
    }
    return n
}
pub fn reverse<T>(items: [T]) [T] {
    let mut out: [T] = []
    for i in 0..items.len() { out.push(items[items.len() - 1 - i]) }
    return out
}
pub fn take<T>(items: [T], n: int) [T] { return items.slice(0, n) }
pub fn drop<T>(items: [T], n: int) [T] { return items.slice(n, items.len()) }
pub fn zip<A, B>(left: [A], right: [B]) [Pair<A, B>] {
    let mut out: [Pair<A, B>] = []
    for i in 0..min(left.len(), right.len()) { out.push(Pair<A, B> { first: left[i], second: right[i] }) }
    return out
}
pub fn enumerate<T>(items: [T]) [Pair<int, T>] {
    let mut out: [Pair<int, T>] = []
    for i in 0..items.len() { out.push(Pair<int, T> { first: i, second: items[i] }) }
    return out
}
pub fn flatten<T>(items: [[T]]) [T] {
    let mut out: [T] = []
    for inner in items {
        for item in inner { out.push(item) }
    }
    return out
}
pub fn sum(items: [int]) int {
    let mut total = 0
    for item in items { total += item }
    return total
}
pub fn sum_float(items: [float]) float {
    let mut total = 0.0
    for item in items { total += item }
    return total
}
`,
  json: `pub error JsonError { message: string }

extern fn __pluto_codepoint_to_string(code: int) string
extern fn __pluto_json_parse_int(text: string) int
extern fn __pluto_json_parse_float(text: string) float
extern fn __pluto_string_format_float(value: float) string

// tag: 0 null, 1 bool, 2 int, 3 float, 4 string, 5 array, 6 object
pub class Json {
    tag: int
    int_val: int
    float_val: float
    string_val: string
    children: [Json]
    keys: [string]

    fn is_null(self) bool { return self.tag == 0 }
    fn is_bool(self) bool { return self.tag == 1 }
    fn is_int(self) bool { return self.tag == 2 }
    fn is_float(self) bool { return self.tag == 3 }
    fn is_string(self) bool { return self.tag == 4 }
    fn is_array(self) bool { return self.tag == 5 }
    fn is_object(self) bool { return self.tag == 6 }
    fn get_bool(self) bool { return self.int_val != 0 }
    fn get_int(self) int { return self.int_val }
    fn get_float(self) float {
        if self.tag == 2 { return self.int_val as float }
        return self.float_val
    }
    fn get_string(self) string { return self.string_val }
    fn len(self) int { return self.children.len() }

    fn get(self, key: string) Json {
        let at = self.keys.index_of(key)
        if at < 0 { return null() }
        return self.children[at]
    }

    fn at(self, index: int) Json {
        if index < 0 || index >= self.children.len() { return null() }
        return self.children[index]
    }

    fn set(mut self, key: string, value: Json) {
        let at = self.keys.index_of(key)
        if at >= 0 {
            self.children[at] = value
        } else {
            self.keys.push(key)
            self.children.push(value)
        }
    }

    fn push(mut self, value: Json) { self.children.push(value) }

    fn to_string(self) string {
        if self.tag == 0 { return "null" }
        if self.tag == 1 {
            if self.get_bool() { return "true" }
            return "false"
        }
        if self.tag == 2 { return f"{self.int_val}" }
        if self.tag == 3 { return __pluto_string_format_float(self.float_val) }
        if self.tag == 4 { return quoted(self.string_val) }
        let mut out = ""
        for i in 0..self.children.len() {
            if i > 0 { out += "," }
            if self.tag == 6 { out += quoted(self.keys[i]) + ":" }
            out += self.children[i].to_string()
        }
        if self.tag == 5 { return "[" + out + "]" }
        return f"{{{out}}}"
    }
}

fn node(tag: int) Json {
    return Json { tag: tag, int_val: 0, float_val: 0.0, string_val: "", children: [], keys: [] }
}

fn quoted(s: string) string {
    let mut out = "\\""
    for letter in s {
        if letter == "\\"" { out += "\\\\\\"" }
        else if letter == "\\\\" { out += "\\\\\\\\" }
        else if letter == "\\n" { out += "\\\\n" }
        else if letter == "\\r" { out += "\\\\r" }
        else if letter == "\\t" { out += "\\\\t" }
        else if letter.byte_at(0) < 32 { out += "\\\\u00" + hex(letter.byte_at(0)) }
        else { out += letter }
    }
    return out + "\\""
}

fn hex(code: int) string {
    let digits = "0123456789abcdef"
    return digits[code >> 4] + digits[code & 15]
}

pub fn null() Json { return node(0) }
pub fn bool(value: bool) Json {
    let mut made = node(1)
    if value { made.int_val = 1 }
    return made
}
pub fn int(value: int) Json {
    let mut made = node(2)
    made.int_val = value
    return made
}
pub fn float(value: float) Json {
    let mut made = node(3)
    made.float_val = value
    return made
}
pub fn string(value: string) Json {
    let mut made = node(4)
    made.string_val = value
    return made
}
pub fn array() Json { return node(5) }
pub fn object() Json { return node(6) }

class Reader {
    s: string
    at: int

    fn skip(mut self) {
        while self.at < self.s.len() && self.s.char_at(self.at).is_whitespace() { self.at = self.at + 1 }
    }

    fn peek(self) string {
        if self.at >= self.s.len() { return "" }
        return self.s.char_at(self.at)
    }

    fn take(mut self, wanted: string) {
        if self.s.substring(self.at, wanted.len()) != wanted {
            raise JsonError { message: f"expected {wanted} at {self.at}" }
        }
        self.at = self.at + wanted.len()
    }

    fn value(mut self) Json {
        self.skip()
        let first = self.peek()
        if first == "n" {
            self.take("null")!
            return null()
        }
        if first == "t" {
            self.take("true")!
            return bool(true)
        }
        if first == "f" {
            self.take("false")!
            return bool(false)
        }
        if first == "\\"" {
            let text = self.text()!
            return string(text)
        }
        if first == "[" { return self.list()! }
        if first == "{" { return self.record()! }
        return self.number()!
    }

    fn list(mut self) Json {
        let mut made = array()
        self.take("[")!
        self.skip()
        if self.peek() == "]" {
            self.take("]")!
            return made
        }
        while true {
            let item = self.value()!
            made.push(item)
            self.skip()
            if self.peek() != "," { break }
            self.take(",")!
        }
        self.take("]")!
        return made
    }

    fn record(mut self) Json {
        let mut made = object()
        self.take("{")!
        self.skip()
        if self.peek() == "}" {
            self.take("}")!
            return made
        }
        while true {
            self.skip()
            let key = self.text()!
            self.skip()
            self.take(":")!
            let value = self.value()!
            made.keys.push(key)
            made.children.push(value)
            self.skip()
            if self.peek() != "," { break }
            self.take(",")!
        }
        self.take("}")!
        return made
    }

    fn text(mut self) string {
        self.take("\\"")!
        let mut out = ""
        while self.peek() != "\\"" {
            if self.peek() == "" { raise JsonError { message: "unterminated string" } }
            if self.peek().byte_at(0) < 32 { raise JsonError { message: f"bare control character at {self.at}" } }
            if self.peek() == "\\\\" {
                self.at = self.at + 1
                let letter = self.escape()!
                out += letter
            } else {
                out += self.peek()
                self.at = self.at + 1
            }
        }
        self.take("\\"")!
        return out
    }

    fn escape(mut self) string {
        let letter = self.peek()
        self.at = self.at + 1
        if letter == "n" { return "\\n" }
        if letter == "t" { return "\\t" }
        if letter == "r" { return "\\r" }
        if letter == "b" { return "\\x08" }
        if letter == "f" { return "\\x0c" }
        if letter == "\\"" || letter == "\\\\" || letter == "/" { return letter }
        if letter != "u" { raise JsonError { message: f"unknown escape at {self.at}" } }
        let code = self.unit()!
        if code < 0xd800 || code > 0xdbff || self.s.substring(self.at, 2) != "\\\\u" {
            return __pluto_codepoint_to_string(code)
        }
        let start = self.at
        self.at = self.at + 2
        let low = self.unit()!
        if low < 0xdc00 || low > 0xdfff {
            self.at = start
            return __pluto_codepoint_to_string(code)
        }
        return __pluto_codepoint_to_string(0x10000 + (code - 0xd800 << 10) + low - 0xdc00)
    }

    fn unit(mut self) int {
        let mut code = 0
        for _ in 0..4 {
            let digit = "0123456789abcdef".index_of(self.peek().to_lower())
            if digit < 0 || self.peek() == "" { raise JsonError { message: f"bad escape at {self.at}" } }
            code = code * 16 + digit
            self.at = self.at + 1
        }
        return code
    }

    fn number(mut self) Json {
        let start = self.at
        if self.peek() == "-" { self.at = self.at + 1 }
        if self.peek() == "0" { self.at = self.at + 1 } else { self.digits(start)! }
        let mut is_float = false
        if self.peek() == "." {
            is_float = true
            self.at = self.at + 1
            self.digits(start)!
        }
        if self.peek() == "e" || self.peek() == "E" {
            is_float = true
            self.at = self.at + 1
            if self.peek() == "+" || self.peek() == "-" { self.at = self.at + 1 }
            self.digits(start)!
        }
        let raw = self.s.substring(start, self.at - start)
        if is_float { return float(__pluto_json_parse_float(raw)) }
        return int(__pluto_json_parse_int(raw))
    }

    fn digits(mut self, start: int) {
        let first = self.at
        while self.peek() != "" && "0123456789".contains(self.peek()) { self.at = self.at + 1 }
        if self.at == first { raise JsonError { message: f"unexpected text at {start}" } }
    }
}

pub fn parse(s: string) Json {
    let mut reader = Reader { s: s, at: 0 }
    let value = reader.value()!
    reader.skip()
    if reader.peek() != "" { raise JsonError { message: f"unexpected text at {reader.at}" } }
    return value
}
`,
} as const;
