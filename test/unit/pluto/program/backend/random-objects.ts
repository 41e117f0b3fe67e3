/**
 * Random well-typed functions over strings, collections, objects, closures and errors. Each node has its text and a function that computes
 * the same in plain JavaScript, without any code of the compiler or its runtime.
 */
import fc from 'fast-check';

import {
  described,
  INT_KEYS,
  isQuartered,
  KEYS,
  size,
  SMALL,
  spread,
  strict,
  twice,
  type State,
  withdrawn,
} from './random-objects-state.ts';
import { wrap } from './int-operations.ts';

/** `text` gives the text with unique names for the variables that it declares. */
interface Node<T> {
  readonly text: (names: Names) => string;
  readonly run: (state: State) => T;
}
class Names {
  #count = 0;
  readonly loops: string[] = [];
  next(): string {
    return `v${(this.#count += 1)}`;
  }
}
type Step = Node<void>;

/**
 * A node of others. `text` gets their texts; `$x` in it is a new name. `run` gets their values, from left to right.
 */
function node<A extends readonly unknown[], T>(
  parts: { readonly [K in keyof A]: Node<A[K]> },
  text: (...texts: readonly string[]) => string,
  run: (state: State, ...values: A) => T,
): Node<T> {
  return {
    text(names) {
      const code = text(...parts.map(part => part.text(names)));
      return code.includes('$x') ? code.replaceAll('$x', names.next()) : code;
    },
    // The values have the types of the parts, in their order.
    run: state => run(state, ...(parts.map(part => part.run(state)) as unknown as A)),
  };
}
const leaf = <T>(text: string, run: (state: State) => T): Node<T> => ({ text: () => text, run });

type Some<T> = fc.Arbitrary<Node<T>>;
const unary = <A, T>(of: Some<A>, text: (a: string) => string, run: (state: State, a: A) => T): Some<T> =>
  of.map(one => node<readonly [A], T>([one], (a = '') => text(a), run));
const binary = <A, B, T>(
  left: Some<A>,
  right: Some<B>,
  text: (a: string, b: string) => string,
  run: (state: State, a: A, b: B) => T,
): Some<T> => fc.tuple(left, right).map(both => node<readonly [A, B], T>(both, (a = '', b = '') => text(a, b), run));
const choice = <T>(condition: Some<boolean>, one: Some<T>): Some<T> =>
  fc.tuple(condition, one, one).map(([test, yes, otherwise]) => ({
    text: names => `(if ${test.text(names)} { ${yes.text(names)} } else { ${otherwise.text(names)} })`,
    run: state => (test.run(state) ? yes : otherwise).run(state),
  }));

const intLiterals: Some<bigint> = fc
  .oneof(fc.nat(20).map(BigInt), fc.constantFrom(2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n))
  .map(value => leaf(String(value), () => value));
const textLiterals: Some<string> = fc
  .constantFrom<string>(...KEYS, ' x ', 'a,b,c', 'ABab', '17')
  .map(value => leaf(JSON.stringify(value), () => value));
const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
/** The variable of the innermost loop. */
const counter: Node<bigint> = { text: names => names.loops.at(-1) ?? '6', run: ({ loops }) => loops.at(-1) ?? 6n };
interface Nodes {
  int: Node<bigint>;
  text: Node<string>;
  bool: Node<boolean>;
}

const depth = { depthSize: 'small', withCrossShrink: true } as const;
const { int, text, bool } = fc.letrec((tie: fc.LetrecTypedTie<Nodes>) => {
  const [ints, texts, bools] = [tie('int'), tie('text'), tie('bool')];
  return {
    int: fc.oneof(
      depth,
      intLiterals,
      fc.constantFrom(
        counter,
        leaf('n', state => state.n),
        leaf('words.len()', state => BigInt(state.words.length)),
        leaf('account.balance', state => state.balance),
      ),
      unary(
        texts,
        a => `${a}.len()`,
        (_, a) => BigInt(a.length),
      ),
      binary(
        ints,
        ints,
        (a, b) => `(${a} + ${b})`,
        (_, a, b) => wrap(a + b),
      ),
      binary(
        ints,
        ints,
        (a, b) => `(${a} - ${b})`,
        (_, a, b) => wrap(a - b),
      ),
      binary(
        ints,
        ints,
        (a, b) => `(${a} * ${b})`,
        (_, a, b) => wrap(a * b),
      ),
      unary(
        ints,
        a => `(${a} % 7)`,
        (_, a) => a % 7n,
      ),
      unary(
        ints,
        a => `(${a} / 3)`,
        (_, a) => a / 3n,
      ),
      unary(
        ints,
        a => `described(${a})`,
        (_, a) => described(a),
      ),
      binary(
        ints,
        ints,
        (a, b) => `shapes[${a} & 1].size(${b})`,
        (_, a, b) => size(a & 1n, b),
      ),
      binary(
        ints,
        ints,
        (a, b) => `shapes[${a} & 1].twice(${b})`,
        (_, a, b) => twice(a & 1n, b),
      ),
      unary(
        ints,
        a => `apply(($x: int) => $x * 3 - n, ${a})`,
        (state, a) => wrap(a * 3n - state.n),
      ),
      unary(
        ints,
        a => `int_at(numbers, ${a} & ${INT_KEYS})`,
        (state, a) => state.numbers.get(a & INT_KEYS) ?? -1n,
      ),
      binary(
        ints,
        ints,
        (a, b) => `value_at(numbers, ${a} & ${INT_KEYS}, ${b})`,
        (state, a, b) => state.numbers.get(a & INT_KEYS) ?? b,
      ),
      unary(
        texts,
        a => `first_of(${a}.split(","), "").len()`,
        (_, a) => BigInt(a.split(',')[0]?.length ?? 0),
      ),
      binary(
        texts,
        texts,
        (a, b) => `${a}.index_of(${b})`,
        (_, a, b) => BigInt(a.indexOf(b)),
      ),
      unary(ints, a => `(account.withdraw(${a} & 31) catch $x: Overdrawn { 0 - $x.missing })`, withdrawn),
      unary(ints, a => `(strict(account, ${a}) catch 0 - 2)`, strict),
      unary(ints, a => `account.spread(${a})`, spread),
      unary(
        ints,
        a => `later(${a})`,
        (_, a) => a,
      ),
      choice(bools, ints),
    ),
    text: fc.oneof(
      depth,
      textLiterals,
      fc.constant(leaf('s', state => state.s)),
      binary(
        texts,
        texts,
        (a, b) => `(${a} + ${b})`,
        (_, a, b) => a + b,
      ),
      unary(
        ints,
        a => `f"<{${quoted(a)}}>"`,
        (_, a) => `<${a}>`,
      ),
      unary(
        ints,
        a => `words[${a} & 1]`,
        (state, a) => state.words[Number(a & 1n)] ?? '',
      ),
      unary(
        texts,
        a => `${a}.to_upper()`,
        (_, a) => a.toUpperCase(),
      ),
      unary(
        texts,
        a => `${a}.trim()`,
        (_, a) => a.trim(),
      ),
      unary(
        texts,
        a => `${a}.replace("a", "-")`,
        (_, a) => a.replaceAll('a', '-'),
      ),
      binary(
        texts,
        ints,
        (a, b) => `${a}.substring(${b} & 7, 4)`,
        (_, a, b) => a.slice(Number(b & 7n)).slice(0, 4),
      ),
      unary(
        texts,
        a => `apply(($x: string) => $x + s, ${a})`,
        (state, a) => a + state.s,
      ),
      choice(bools, texts),
    ),
    bool: fc.oneof(
      depth,
      binary(
        ints,
        ints,
        (a, b) => `(${a} < ${b})`,
        (_, a, b) => a < b,
      ),
      binary(
        ints,
        ints,
        (a, b) => `(${a} == ${b})`,
        (_, a, b) => a === b,
      ),
      binary(
        ints,
        ints,
        (a, b) => `(answer(${a}) == answer(${b}))`,
        (_, a, b) => a === b || (a < 0n && b < 0n),
      ),
      unary(
        ints,
        a => `(quarter(${a}) == none)`,
        (_, a) => !isQuartered(a),
      ),
      binary(
        texts,
        texts,
        (a, b) => `(${a} == ${b})`,
        (_, a, b) => a === b,
      ),
      binary(
        texts,
        texts,
        (a, b) => `${a}.contains(${b})`,
        (_, a, b) => a.includes(b),
      ),
      unary(
        texts,
        a => `words.contains(${a})`,
        (state, a) => state.words.includes(a),
      ),
      unary(
        texts,
        a => `counts.contains(${a})`,
        (state, a) => state.counts.has(a),
      ),
      unary(
        ints,
        a => `seen.contains(${a})`,
        (state, a) => state.seen.has(a),
      ),
      unary(
        bools,
        a => `!${a}`,
        (_, a) => !a,
      ),
      fc.tuple(bools, bools).map(([a, b]): Node<boolean> => ({
        text: names => `(${a.text(names)} && ${b.text(names)})`,
        run: state => a.run(state) && b.run(state),
      })),
    ),
  };
});

const block = (steps: readonly Step[], names: Names): string => steps.map(step => step.text(names)).join('\n');
const runAll = (steps: readonly Step[], state: State): void => {
  for (const step of steps) step.run(state);
};

function inLoop(names: Names, steps: readonly Step[], over: string): string {
  const variable = names.next();
  names.loops.push(variable);
  const inside = block(steps, names);
  names.loops.pop();
  return `for ${variable} in ${over} {\n${inside}\n}`;
}

/** Runs the steps for each value, which the variable of the loop has. */
function loop(values: readonly bigint[], steps: readonly Step[], state: State): void {
  for (const value of values) {
    state.loops.push(value);
    runAll(steps, state);
    state.loops.pop();
  }
}

const keeping = (name: string, value: string): string => `let ${name} = () => n\nn = ${value}\nn = n - ${name}()`;
function addWord({ words }: State, word: string): void {
  if (words.length < 9) words.push(word.slice(0, 9));
}
function increment({ counts }: State, key: string): void {
  const found = counts.get(key);
  if (found !== undefined) counts.set(key, wrap(found + 1n));
}

export const steps = fc.letrec((tie: fc.LetrecTypedTie<{ one: Step; many: readonly Step[] }>) => ({
  one: fc.oneof<fc.Arbitrary<Step>[]>(
    { depthSize: 'small', withCrossShrink: true },
    unary(
      int,
      a => `n = ${a}`,
      (state, a) => void (state.n = a),
    ),
    unary(
      int,
      a => `n = n * 3 + ${a}`,
      (state, a) => void (state.n = wrap(state.n * 3n + a)),
    ),
    unary(
      text,
      a => `s = ${a}.substring(0, 30)`,
      (state, a) => void (state.s = a.slice(0, 30)),
    ),
    unary(text, a => `let $x = ${a}\nif words.len() < 9 { words.push($x.substring(0, 9)) }`, addWord),
    binary(
      int,
      text,
      (a, b) => `words[${a} & 1] = ${b}.substring(0, 9)`,
      (state, a, b) => {
        state.words[Number(a & 1n)] = b.slice(0, 9);
      },
    ),
    binary(
      text,
      int,
      (a, b) => `counts[${a}] = ${b}`,
      (state, a, b) => void state.counts.set(a, b),
    ),
    binary(
      int,
      int,
      (a, b) => `numbers[${a} & ${INT_KEYS}] = ${b}`,
      (state, a, b) => void state.numbers.set(a & INT_KEYS, b),
    ),
    binary(
      int,
      int,
      (a, b) => `put_at(numbers, ${a} & ${INT_KEYS}, ${b})`,
      (state, a, b) => void state.numbers.set(a & INT_KEYS, b),
    ),
    unary(
      int,
      a => `numbers.remove(${a} & ${INT_KEYS})`,
      (state, a) => void state.numbers.delete(a & INT_KEYS),
    ),
    binary(
      int,
      int,
      (a, b) => `cells.put(${a} & ${INT_KEYS}, ${b})`,
      (state, a, b) => void state.numbers.set(a & INT_KEYS, b),
    ),
    binary(
      int,
      int,
      (a, b) => `let $x = ${a} & ${INT_KEYS}\nlet $x_value = ${b}\nif cells.has($x) { cells.all[$x] -= $x_value }`,
      (state, a, b) => {
        const found = state.numbers.get(a & INT_KEYS);
        if (found !== undefined) state.numbers.set(a & INT_KEYS, wrap(found - b));
      },
    ),
    unary(
      text,
      a => `counts.remove(${a})`,
      (state, a) => void state.counts.delete(a),
    ),
    unary(text, a => `let $x = ${a}\nif counts.contains($x) { counts[$x] += 1 }`, increment),
    unary(
      int,
      a => `seen.insert(${a} & 7)`,
      (state, a) => void state.seen.add(a & 7n),
    ),
    unary(
      int,
      a => `seen.remove(${a})`,
      (state, a) => void state.seen.delete(a),
    ),
    unary(
      int,
      a => `account.deposit(${a} & 1023)`,
      (state, a) => void (state.balance += a & 1023n),
    ),
    // A closure keeps the value that a variable had.
    int.map(of => ({
      text: names => keeping(names.next(), of.text(names)),
      run(state) {
        const kept = state.n;
        state.n = wrap(of.run(state) - kept);
      },
    })),
    fc.tuple(fc.nat(4), tie('many')).map(([times, body]) => ({
      text: names => inLoop(names, body, `0..${times}`),
      run: state => loop(SMALL.slice(0, times), body, state),
    })),
    fc.tuple(int, tie('many')).map(([of, body]) => ({
      text: names => inLoop(names, body, `[${of.text(names)}, 2]`),
      run: state => loop([of.run(state), 2n], body, state),
    })),
    fc.tuple(bool, tie('many'), tie('many')).map(([condition, yes, otherwise]) => ({
      text: names => `if ${condition.text(names)} {\n${block(yes, names)}\n} else {\n${block(otherwise, names)}\n}`,
      run: state => runAll(condition.run(state) ? yes : otherwise, state),
    })),
  ),
  many: fc.array(tie('one'), { maxLength: 4 }),
})).many;

/** A function that runs the steps and prints its variables, as `State` does. */
export function functionText(name: string, body: readonly Step[]): string {
  return [
    `fn ${name}() {`,
    'let mut n = 3',
    'let mut s = "start"',
    'let mut words = ["ab", "c"]',
    'let mut counts = Map<string, int> { "ab": 1 }',
    'let mut numbers = Map<int, int> { 1: 2 }',
    'let mut cells = Cells<int> { all: numbers }',
    'let mut seen = Set<int> { 1 }',
    'let mut account = Account { balance: 10, calls: 0 }',
    'let shapes: [Sized] = [Square { side: 3 }, Label { text: "abc" }]',
    block(body, new Names()),
    'print(n)',
    'print(s)',
    'let mut line = ""',
    'for i in 0..words.len() { line = if i == 0 { words[0] } else { line + "|" + words[i] } }',
    'print(line)',
    'print(counts.len())',
    `for key in [${KEYS.map(key => `"${key}"`).join(', ')}] {`,
    'let known = counts.contains(key)',
    'let value = if known { counts[key] } else { -1 }',
    'print(f"{known} {value}")',
    '}',
    'let mut sum = 0',
    'for value in numbers.values() { sum += value }',
    'print(f"{numbers.len()} {sum} {value_at(numbers, 1, 0) / 3}")',
    'print(seen.len())',
    `for i in 0..${SMALL.length} { print(seen.contains(i)) }`,
    'print(f"{account.balance} {account.calls}")',
    '}',
  ].join('\n');
}
