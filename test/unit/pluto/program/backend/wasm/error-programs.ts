import type { Construct } from './construct-programs.ts';

export const ERRORS: Readonly<Record<string, Construct>> = {
  errors: {
    source: `
error Odd { n: int, text: string }
error Late { on: bool }
fn checked(n: int) int {
    if n % 2 == 1 { raise Odd { text: f"no {n}", n: n } }
    if n > 5 { raise Late { on: n > 6 } }
    return n
}
fn store(list: [int], n: int) { list.push(checked(n + 1)!) }
fn run(count: int) int {
    let mut sum = 0
    let list: [int] = []
    for i in 0..count {
        sum += checked(i) catch e: Odd { e.n * 100 + e.text.len() } catch e: Late { if e.on { 10000 } else { 20000 } }
        store(list, i) catch e { continue }
        sum += checked(i) catch 1000000
    }
    return sum + list.len()
}
fn main() { print(run(9)) }`,
    output: '2031624\n',
  },
  'handlers and branches that assign': {
    source: `
error Odd { n: int }
fn checked(n: int) int {
    if n % 2 == 1 { raise Odd { n: n } }
    return n
}
fn run(count: int) int {
    let mut a = 0
    let mut list = [0]
    for i in 0..count {
        a += checked(i) catch e: Odd {
            e.n += 10
            list = [e.n]
            a += 100
            1000
        }
        list[0] = a + if i == 2 {
            a += 5
            1
        } else { 0 }
    }
    return a * 10000 + list[0]
}
fn main() { print(run(4)) }`,
    output: '20072007\n',
  },
  'errors with fields of any type': {
    source: `
enum Kind {
    Small
    Large { n: int }
}
class Cell { n: int }
error Broken { kind: Kind, list: [int], cell: Cell?, data: bytes, rows: [[int]], next: fn(int) int }
fn checked(n: int, list: [int]) int {
    if n == 2 { return n }
    raise Broken {
        next: (x: int) => x * n,
        rows: [list],
        data: "ab".to_bytes(),
        cell: if n == 1 { none } else { Cell { n: n } },
        list: list,
        kind: Kind.Large { n: n }
    }
}
fn run(count: int) int {
    let mut sum = 0
    let list = [1]
    for i in 0..count {
        sum += checked(i, list) catch e: Broken {
            e.list.push(i)
            e.rows.push([])
            let next = e.next
            if e.cell == none { e.kind = Kind.Small }
            match e.kind {
                Kind.Small { sum += 1000 }
                Kind.Large { n } { sum += n * 100 }
            }
            next(10) + e.rows.len() + e.data.len() * list.len()
        }
    }
    let text = checked(3, list) catch e { e.message.len() }
    return sum + text
}
fn main() { print(run(4)) }`,
    output: '76\n',
  },
  'closures with errors': {
    source: `
error Odd { n: int, name: string }
fn checked(n: int) int {
    if n % 2 == 1 { raise Odd { n: n, name: f"n{n}" } }
    return n
}
fn run(count: int) int {
    let mut all: [fn(int) int] = [(x: int) => x]
    for i in 0..count {
        let got = checked(i) catch e: Odd {
            let kept = [e, e]
            all.push((x: int) => {
                kept[0].n += x
                return e.n * 10 + e.name.len()
            })
            0
        }
    }
    let mut sum = 0
    for f in all { sum = sum * 2 + f(1) }
    return sum
}
fn main() { print(run(4)) }`,
    output: '90\n',
  },
};
