/** A program with a function `run`, which has a loop. */
export interface Construct {
  readonly source: string;
  readonly output: string;
}

export const CONSTRUCTS: Readonly<Record<string, Construct>> = {
  'lists of strings': {
    source: `
fn run(text: string) int {
    let mut all: [string] = ["first"]
    for part in text.split(" ") { all.push(part + all.last()) }
    all[0] = all.pop()
    return all[0].len() + all.len()
}
fn main() { print(run("a list of words")) }`,
    output: '21\n',
  },
  enums: {
    source: `
enum Color {
    Red
    Green
}
enum Shape {
    Dot
    Box { width: int, color: Color }
}
fn next(shape: Shape) Shape {
    return match shape {
        Shape.Dot => Shape.Box { color: Color.Green, width: 2 },
        Shape.Box { width, color } => Shape.Box { width: width + 1, color: color }
    }
}
fn run(count: int) int {
    let mut shape = Shape.Dot
    for i in 0..count { shape = next(shape) }
    match shape {
        Shape.Box { width, color } { return if color == Color.Green { width } else { 0 } }
        Shape.Dot { return -1 }
    }
}
fn main() {
    print(run(3))
    print(run(0))
}`,
    output: '4\n-1\n',
  },
  'calls of traits with several classes': {
    source: `
trait Shape { fn area(mut self, scale: int) int }
class Square impl Shape {
    side: int
    fn area(mut self, scale: int) int {
        self.side += 1
        return self.side * scale
    }
}
class Dot impl Shape {
    x: int
    fn area(mut self, scale: int) int { return self.x }
}
fn run(count: int) int {
    let mut sum = 0
    let mut shape: Shape = Square { side: 1 }
    for i in 0..count {
        sum += shape.area(10)
        if i == 2 { shape = Dot { x: 5 } }
    }
    return sum
}
fn main() { print(run(5)) }`,
    output: '100\n',
  },
  'closures that are only called': {
    source: `
fn fold(list: [int], start: int, f: fn(int, int) int) int {
    let mut sum = start
    for one in list { sum = f(sum, one) }
    return sum
}
fn run(count: int, by: int) int {
    let mut list = [1]
    let next = (x: int) => x * by + list.len()
    for i in 0..count { list.push(next(i)) }
    return fold(list, by, (sum: int, x: int) => sum * 31 + x)
}
fn main() { print(run(4, 3)) }`,
    output: '86845862\n',
  },
  'comparisons of enums': {
    source: `
enum Size {
    Unknown
    Known { size: float, name: string }
}
fn run(sizes: int) int {
    let mut count = 0
    let wanted = Size.Known { size: -0.0, name: "2" }
    for i in 0..sizes {
        let size = Size.Known { size: 0.0, name: f"{i}" }
        if size == wanted && size != Size.Unknown { count += 1 }
    }
    return count
}
fn main() { print(run(9)) }`,
    output: '1\n',
  },
  'comparisons of an enum that contains itself': {
    source: `
enum Chain {
    End
    Link { next: Chain, key: int }
}
fn linked(count: int) Chain {
    let mut chain = Chain.End
    for i in 0..count { chain = Chain.Link { next: chain, key: i & 1 } }
    return chain
}
fn run(count: int) bool {
    let mut isSame = false
    for i in 0..2 { isSame = linked(count) == linked(count) }
    return isSame && linked(count) != linked(count - 2)
}
fn main() { print(run(500000)) }`,
    output: 'true\n',
  },
  'comparisons of enums that contain each other': {
    source: `
enum Tree {
    Leaf { value: int }
    Node { left: Tree?, children: Trees, right: Tree? }
}
enum Trees {
    None
    More { first: Tree, others: Trees }
}
fn tree(depth: int, last: int) Tree {
    if depth == 0 { return Tree.Leaf { value: last } }
    let others = Trees.More { first: tree(depth - 1, 1), others: Trees.None }
    let children = Trees.More { first: tree(depth - 1, 2), others: others }
    return Tree.Node { right: if last < 0 { none } else { tree(depth - 1, last) }, left: none, children: children }
}
fn run(depth: int) int {
    let mut count = 0
    for last in -1..4 {
        if tree(depth, last) == tree(depth, 2) { count += 1 }
        let trees = Trees.More { others: Trees.None, first: tree(depth, last) }
        let others = Trees.More { first: tree(depth, 3), others: Trees.None }
        if trees == others { count += 10 }
    }
    return count
}
fn main() { print(run(6)) }`,
    output: '11\n',
  },
  'maps and sets': {
    source: `
class Index {
    ids: Map<string, int>
    groups: Map<int, [string]>
    tables: Map<string, Map<int, bool>>
    fn add(mut self, name: string) int {
        if !self.ids.contains(name) { self.ids[name] = self.ids.len() }
        let id = self.ids[name]
        if !self.groups.contains(id % 3) { self.groups.insert(id % 3, []) }
        self.groups[id % 3].push(name)
        return id
    }
}
fn run(text: string) int {
    let mut index = Index { ids: Map<string, int> {}, groups: Map<int, [string]> {}, tables: Map<string, Map<int, bool>> {} }
    let seen = Set<int> { 100, 7 }
    for word in text.split(" ") {
        seen.insert(index.add(word))
        index.tables[word] = Map<int, bool> { 1: true }
        index.tables[word][1] = word == "a"
    }
    seen.remove(7)
    let mut sum = 0
    for one in seen.to_array() { sum += one }
    for id in index.ids.values() { sum += id * 1000 }
    for group in index.groups.keys() { sum += index.groups[group].len() * 100000 }
    for word in index.ids.keys() { if index.tables[word][1] { sum += 10000000 } }
    index.ids["a"] += 1
    return sum + if index.ids == index.ids && seen != Set<int> { 1 } { index.ids["a"] } else { 0 }
}
fn main() { print(run("a map of words to a set of a map")) }`,
    output: '11015116\n',
  },
  'maps and sets with keys of other types': {
    source: `
enum Place {
    Home
    At { x: int, name: string? }
}
fn run(count: int) int {
    let visits = Map<Place, int> { Place.Home: 1 }
    let sizes = Map<float, [Place]> {}
    let flags = Set<bool> {}
    for i in 0..count {
        let place = if i % 3 == 0 { Place.Home } else { Place.At { x: i % 4, name: none } }
        if !visits.contains(place) { visits[place] = 0 }
        visits[place] += i
        sizes[i as float / 4.0] = [place]
        flags.insert(visits.contains(Place.At { x: 2, name: none }))
    }
    let mut sum = flags.len()
    for place in visits.keys() { sum += visits[place] * 10 }
    return sum + sizes[0.25].len() * 10000 + visits.len() * 100000
}
fn main() { print(run(9)) }`,
    output: '510372\n',
  },
  'scope blocks': {
    source: `
scoped class Step { n: int }
scoped class Walk[step: Step] {
    fn go(self, by: int) int { return self.step.n * by }
}
fn run(count: int) int {
    let mut sum = 0
    for i in 0..count {
        scope(Step { n: i }) |walk: Walk| { sum += walk.go(10) }
    }
    return sum
}
fn main() { print(run(4)) }`,
    output: '60\n',
  },
  'lists of lists, of maps and of values that may be none': {
    source: `
class Cell { x: int }
fn row(count: int) [int]? {
    if count < 1 { return none }
    return [count, count]
}
fn doubled(text: string?) string? {
    let one = text?
    return one + one
}
fn run(count: int) int {
    let mut grid = [[0]]
    let mut maps: [Map<int, string>] = []
    let mut cells: [Cell?] = [none]
    let mut last: Map<int, string>? = none
    for y in 0..count {
        let mut line = [y]
        for x in 0..count { line.push(x * y) }
        grid.push(line)
        maps.push(Map<int, string> { y: "a" })
        cells.push(Cell { x: y })
        last = maps[0]
    }
    grid[1][1] = 100
    grid[0] = grid[1]
    let mut sum = if last == none || cells[0] != none || doubled(none) != none { 0 } else { 1 }
    for line in grid { for n in line { sum += n } }
    if row(0) == none && row(1) != row(1) && doubled("a") == doubled("a") { sum += maps.len() * 1000 }
    return sum
}
fn main() { print(run(4)) }`,
    output: '4243\n',
  },
  'scalars that may be none': {
    source: `
fn half(n: int) int? { return if n % 2 == 0 { n / 2 } else { none } }
fn quarter(n: int) int? {
    let one = half(n)?
    return half(one)
}
fn run(count: int) int {
    let mut found: [int?] = []
    let mut last: float? = none
    let known = Map<int, bool?> { 1: none }
    for i in 0..count {
        found.push(quarter(i))
        last = i as float
        known[i] = i > 2
    }
    let mut sum = if last == none || known[1] == none { 100 } else { 0 }
    for one in found { if one != none { sum += 1 } }
    return sum
}
fn main() { print(run(9)) }`,
    output: '3\n',
  },
  'functions of lists and strings': {
    source: `
fn or_zero(n: int?, into: [int]) { into.push(n?) }
fn run(text: string) int {
    let mut list = [pow(3, 2) catch 0]
    for c in text {
        list.insert_at(0, c.repeat(3).len())
        or_zero((c + "0").to_int(), list)
    }
    list.reverse()
    let sum = list.remove_at(0) + list.slice(-1, 3).len() * 1000
    return if list.contains(9) { sum + list.index_of(9) * 100000 + text.char_at(0).len() } else { 0 }
}
fn main() { print(run("a2b")) }`,
    output: '3021\n',
  },
  bytes: {
    source: `
fn run(count: int) int {
    let data = "ab".to_bytes()
    let counts = Map<byte, int> {}
    let mut list = [0 as byte]
    for i in 0..count {
        data.push((i * 100) as byte)
        list.push(data[i])
        counts[data[i]] = i
    }
    data[0] = 67 as byte
    let mut sum = data.to_string().len()
    for one in data { if one > list[1] { sum += one as int } }
    return sum + counts.len() * 1000
}
fn main() { print(run(4)) }`,
    output: '4404\n',
  },
  ranges: {
    source: `
fn kept<T>(x: T) T { return x }
fn run(count: int) int {
    let mut sum = 0
    let mut all = [0..count, kept(1..=2), 7..count]
    all[2] = all[0]
    let last = 9223372036854775807
    all.push(last..=last)
    for range in all { for i in range { sum = sum * 3 + i % 1000 } }
    let range = all[1]
    let extra = (x: int) => {
        let mut n = x
        for i in range { n += i }
        return n
    }
    return if all[2] == all[0] && range != all[0] { extra(sum) } else { 0 }
}
fn main() { print(run(3)) }`,
    output: '4875\n',
  },
  'contracts of traits': {
    source: `
trait Store {
    fn put(mut self, low: int, high: int) int
        requires low < high
    fn size(self, by: int) int
        requires by >= 0
    {
        return by
    }
}
class Box impl Store {
    n: int
    fn put(mut self, low: int, high: int) int {
        self.n += high - low
        return self.n
    }
}
class Pair impl Store {
    box: Box
    fn put(mut self, low: int, high: int) int { return self.box.n * (low + high) }
}
fn run(count: int) int {
    let box = Box { n: 0 }
    let all: [Store] = [box, Pair { box: box }]
    let mut sum = 0
    for i in 0..count {
        for one in all {
            let mut store = one
            sum += store.put(-i, 2) + store.size(i)
        }
    }
    return sum
}
fn main() {
    print(run(3))
    print(run(-1))
}`,
    output: '31\n0\n',
  },
  externs: {
    source: `
extern fn __pluto_string_split(text: string, by: string) [string]
extern fn __pluto_string_contains(text: string, part: string) bool
extern fn __pluto_string_len(text: string) int
extern fn __pluto_json_parse_float(text: string) float
extern fn __pluto_print_bool(value: bool)
fn run(text: string) float {
    let mut sum = 0.0
    for word in __pluto_string_split(text, " ") {
        if __pluto_string_contains(word, ".") { sum += __pluto_json_parse_float(word) }
        __pluto_print_bool(__pluto_string_len(word) > 2 && time_ns() > 0 && gc_heap_size() >= 0)
    }
    return sum
}
fn main() { print(run("1.5 a 2.25")) }`,
    output: 'true\nfalse\ntrue\n3.75\n',
  },
};
