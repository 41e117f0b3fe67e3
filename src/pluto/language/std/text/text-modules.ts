/** `std.strings`, `std.path`, `std.base64`, `std.regex`, `std.uuid`. Backslashes of Pluto are doubled here. */
export const textModules = {
  strings: `extern fn __pluto_string_format_float(value: float) string

pub fn substring(s: string, start: int, len: int) string { return s.substring(start, len) }
pub fn contains(s: string, part: string) bool { return s.contains(part) }
pub fn starts_with(s: string, part: string) bool { return s.starts_with(part) }
pub fn ends_with(s: string, part: string) bool { return s.ends_with(part) }
pub fn index_of(s: string, part: string) int { return s.index_of(part) }
pub fn last_index_of(s: string, part: string) int { return s.last_index_of(part) }
pub fn count(s: string, part: string) int { return s.count(part) }
pub fn trim(s: string) string { return s.trim() }
pub fn trim_start(s: string) string { return s.trim_start() }
pub fn trim_end(s: string) string { return s.trim_end() }
pub fn to_upper(s: string) string { return s.to_upper() }
pub fn to_lower(s: string) string { return s.to_lower() }
pub fn replace(s: string, old: string, new: string) string { return s.replace(old, new) }
pub fn split(s: string, separator: string) [string] { return s.split(separator) }
pub fn char_at(s: string, index: int) string { return s.char_at(index) }
pub fn byte_at(s: string, index: int) int { return s.byte_at(index) }
pub fn len(s: string) int { return s.len() }
pub fn is_empty(s: string) bool { return s.is_empty() }
pub fn is_whitespace(s: string) bool { return s.is_whitespace() }
pub fn repeat(s: string, times: int) string { return s.repeat(times) }
pub fn format_float(value: float) string { return __pluto_string_format_float(value) }

pub fn join(parts: [string], separator: string) string {
    let mut joined = ""
    for i in 0..parts.len() {
        if i > 0 { joined += separator }
        joined += parts[i]
    }
    return joined
}
`,
  path: `pub fn is_absolute(path: string) bool { return path.starts_with("/") }
pub fn has_trailing_slash(path: string) bool { return path.len() > 1 && path.ends_with("/") }

pub fn join(left: string, right: string) string {
    if left.is_empty() || is_absolute(right) { return right }
    if right.is_empty() { return left }
    if left.ends_with("/") { return left + right }
    return left + "/" + right
}

pub fn basename(path: string) string {
    let at = path.last_index_of("/")
    return path.substring(at + 1, path.len() - at - 1)
}

pub fn dirname(path: string) string {
    let at = path.last_index_of("/")
    if at < 0 { return "." }
    if at == 0 { return "/" }
    return path.substring(0, at)
}

pub fn ext(path: string) string {
    let name = basename(path)
    let at = name.last_index_of(".")
    if at <= 0 { return "" }
    return name.substring(at, name.len() - at)
}

pub fn split_ext(path: string) string {
    return path.substring(0, path.len() - ext(path).len())
}

pub fn normalize(path: string) string {
    let mut names: [string] = []
    for name in path.split("/") {
        if name == "" || name == "." { continue }
        if name == ".." && names.len() > 0 && names.last() != ".." {
            names.pop()
        } else if name != ".." || !is_absolute(path) {
            names.push(name)
        }
    }
    let mut joined = ""
    for i in 0..names.len() {
        if i > 0 { joined += "/" }
        joined += names[i]
    }
    if is_absolute(path) { return "/" + joined }
    if joined == "" { return "." }
    return joined
}
`,
  base64: `extern fn __pluto_codepoint_to_string(code: int) string

fn encode_with(s: string, alphabet: string, pad: string) string {
    let mut out = ""
    let mut i = 0
    while i < s.len() {
        let left = s.len() - i
        let a = s.byte_at(i)
        let mut b = 0
        let mut c = 0
        if left > 1 { b = s.byte_at(i + 1) }
        if left > 2 { c = s.byte_at(i + 2) }
        out += alphabet.char_at(a >> 2)
        out += alphabet.char_at((a & 3) << 4 | b >> 4)
        if left > 1 { out += alphabet.char_at((b & 15) << 2 | c >> 6) } else { out += pad }
        if left > 2 { out += alphabet.char_at(c & 63) } else { out += pad }
        i += 3
    }
    return out
}

fn decode_with(s: string, alphabet: string) string {
    let mut out = ""
    let mut bits = 0
    let mut held = 0
    for letter in s {
        let value = alphabet.index_of(letter)
        if value < 0 { continue }
        held = (held << 6 | value) & 16777215
        bits += 6
        if bits >= 8 {
            bits -= 8
            out += __pluto_codepoint_to_string(held >> bits & 255)
        }
    }
    return out
}

fn standard() string { return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
fn url_safe() string { return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" }

pub fn encode(s: string) string { return encode_with(s, standard(), "=") }
pub fn decode(s: string) string { return decode_with(s, standard()) }
pub fn encode_url_safe(s: string) string { return encode_with(s, url_safe(), "") }
pub fn decode_url_safe(s: string) string { return decode_with(s, url_safe()) }
`,
  regex: `// Literals, '.', '^', '$', and '*', '+', '?' after one character; as many as possible, nothing is given back.

class Found {
    start: int
    length: int
}

fn fits(pattern: string, at: int, letter: string) bool {
    return pattern.char_at(at) == "." || pattern.char_at(at) == letter
}

fn length_at(pattern: string, s: string, start: int) int {
    let mut p = 0
    let mut i = start
    if pattern.starts_with("^") {
        if start > 0 { return -1 }
        p = 1
    }
    while p < pattern.len() {
        if pattern.char_at(p) == "$" && p == pattern.len() - 1 {
            if i < s.len() { return -1 }
            return i - start
        }
        let mut many = ""
        if p + 1 < pattern.len() { many = pattern.char_at(p + 1) }
        let mut count = 0
        let repeats = many == "*" || many == "+"
        while i < s.len() && (repeats || count == 0) && fits(pattern, p, s.char_at(i)) {
            i++
            count++
        }
        if count == 0 && many != "*" && many != "?" { return -1 }
        p++
        if repeats || many == "?" { p++ }
    }
    return i - start
}

fn search(pattern: string, s: string, from: int) Found? {
    for start in from..=s.len() {
        let length = length_at(pattern, s, start)
        if length >= 0 { return Found { start: start, length: length } }
    }
    return none
}

fn spans(pattern: string, s: string) [Found] {
    let mut found: [Found] = []
    let mut at = 0
    while at <= s.len() {
        let start = at
        let mut length = -1
        for i in start..=s.len() {
            length = length_at(pattern, s, i)
            at = i
            if length >= 0 { break }
        }
        if length < 0 { return found }
        if length > 0 { found.push(Found { start: at, length: length }) }
        at += max(length, 1)
    }
    return found
}

pub fn matches(pattern: string, s: string) bool { return search(pattern, s, 0) != none }

pub fn find(pattern: string, s: string) string? {
    let found = search(pattern, s, 0)?
    return s.substring(found.start, found.length)
}

pub fn find_all(pattern: string, s: string) [string] {
    let mut all: [string] = []
    for found in spans(pattern, s) { all.push(s.substring(found.start, found.length)) }
    return all
}

pub fn replace(pattern: string, s: string, by: string) string {
    for found in spans(pattern, s) {
        let after = found.start + found.length
        return s.substring(0, found.start) + by + s.substring(after, s.len() - after)
    }
    return s
}

pub fn replace_all(pattern: string, s: string, by: string) string {
    let mut out = ""
    let mut at = 0
    for found in spans(pattern, s) {
        out += s.substring(at, found.start - at) + by
        at = found.start + found.length
    }
    return out + s.substring(at, s.len() - at)
}

pub fn split(pattern: string, s: string) [string] {
    let mut parts: [string] = []
    let mut at = 0
    for found in spans(pattern, s) {
        parts.push(s.substring(at, found.start - at))
        at = found.start + found.length
    }
    parts.push(s.substring(at, s.len() - at))
    return parts
}
`,
  uuid: `extern fn __pluto_random_int() int

pub fn generate() string {
    let digits = "0123456789abcdef"
    let mut out = ""
    for i in 0..36 {
        if i == 8 || i == 13 || i == 18 || i == 23 {
            out += "-"
        } else if i == 14 {
            out += "4"
        } else if i == 19 {
            out += digits.char_at(__pluto_random_int() & 3 | 8)
        } else {
            out += digits.char_at(__pluto_random_int() & 15)
        }
    }
    return out
}
`,
} as const;
