import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loweredProgram, outputOf } from './run-source.ts';

/** The state of an evaluation: variables that an expression may change, and its output. */
interface World {
  a: bigint;
  n: bigint;
  readonly stored: Map<bigint, bigint>;
  readonly printed: string[];
}

/** An expression of type int, with its specified value and effects. */
interface Piece {
  /** @param unique returns a new name */
  code(unique: () => string): string;
  value(world: World): bigint;
}

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
const say = (world: World, value: bigint): bigint => {
  world.printed.push(String(value));
  return value;
};

/** Puts the value of an expression into the map, by the value that the variable has before. */
function store(world: World, piece: Piece): void {
  const key = world.a;
  world.stored.set(key, piece.value(world));
}

const { piece } = fc.letrec<{ piece: Piece }>(tie => {
  const one = tie('piece');
  const leaf = fc.oneof(
    fc.integer({ min: 0, max: 9 }).map((n): Piece => ({ code: () => String(n), value: () => BigInt(n) })),
    fc.integer({ min: 0, max: 9 }).map((n): Piece => ({ code: () => `say(${n})`, value: w => say(w, BigInt(n)) })),
    fc.constant<Piece>({ code: () => 'a', value: world => world.a }),
    fc.constant<Piece>({ code: () => 'p.n', value: world => world.n }),
  );
  const binary = fc.tuple(one, one, fc.constantFrom('+', '-', '*')).map(([left, right, op]): Piece => ({
    code: unique => `(${left.code(unique)} ${op} ${right.code(unique)})`,
    value(world) {
      const x = left.value(world);
      const y = right.value(world);
      return wrap(op === '+' ? x + y : op === '-' ? x - y : x * y);
    },
  }));
  const branch = fc.tuple(one, one, one, one).map(([x, y, then, otherwise]): Piece => ({
    code: unique =>
      `(if ${x.code(unique)} < ${y.code(unique)} {\na = ${then.code(unique)}\na + 1\n} else { ${otherwise.code(unique)} })`,
    value(world) {
      if (x.value(world) >= y.value(world)) return otherwise.value(world);
      world.a = then.value(world);
      return wrap(world.a + 1n);
    },
  }));
  const matched = fc.tuple(one, one).map(([subject, arm]): Piece => ({
    code(unique) {
      const name = unique();
      return `(match sign(${subject.code(unique)}) { Sign.Minus { by: ${name} } => ${name} - ${arm.code(unique)}, Sign.Plus => ${arm.code(unique)} })`;
    },
    value(world) {
      const by = subject.value(world);
      return by < 0n ? wrap(by - arm.value(world)) : arm.value(world);
    },
  }));
  const caught = fc.tuple(one, one, one).map(([x, y, handler]): Piece => ({
    code: unique =>
      `(risky(${x.code(unique)}, ${y.code(unique)}) catch ${unique()} {\na = a + 1\n${handler.code(unique)}\n})`,
    value(world) {
      const first = x.value(world);
      const second = y.value(world);
      if (wrap(first + second) % 2n === 0n) return say(world, first);
      world.a = wrap(world.a + 1n);
      return handler.value(world);
    },
  }));
  const listed = fc.tuple(one, one, one).map(([x, y, z]): Piece => ({
    code: unique => `([${x.code(unique)}, ${y.code(unique)}, ${z.code(unique)}][1])`,
    value: world => [x, y, z].map(each => each.value(world))[1]!,
  }));
  const method = fc.tuple(one, one).map(([x, y]): Piece => ({
    code: unique => `p.bump(${x.code(unique)}, ${y.code(unique)})`,
    value(world) {
      const by = x.value(world);
      const times = y.value(world);
      return (world.n = wrap(world.n + by * times));
    },
  }));
  const logical = fc.tuple(one, one, one, fc.constantFrom('&&', '||')).map(([x, y, z, op]): Piece => ({
    code: unique => `((${x.code(unique)} < ${y.code(unique)} ${op} ${z.code(unique)} < 5) as int)`,
    value(world) {
      const left = x.value(world) < y.value(world);
      return BigInt(op === '&&' ? left && z.value(world) < 5n : left || z.value(world) < 5n);
    },
  }));
  // Quotes in holes would need a backslash at each level.
  const text = fc.tuple(leaf, leaf).map(([x, y]): Piece => ({
    code: unique => `f"{${x.code(unique)}},{${y.code(unique)}}".len()`,
    value: world => BigInt(`${x.value(world)},${y.value(world)}`.length),
  }));
  const depth = { maxDepth: 4, depthSize: 'small' as const };
  return { piece: fc.oneof(depth, leaf, binary, branch, matched, caught, listed, method, logical, text) };
});

const DECLARATIONS = `
enum Sign { Minus { by: int } Plus }
error Odd { n: int }
class P {
    n: int
    fn bump(mut self, by: int, times: int) int {
        self.n += by * times
        return self.n
    }
}
fn sign(n: int) Sign {
    if n < 0 { return Sign.Minus { by: n } }
    return Sign.Plus
}
fn risky(n: int, m: int) int {
    if (n + m) % 2 != 0 { raise Odd { n: n } }
    return say(n)
}
`;

const PLAIN = 'plain functions';
const SAYERS: Readonly<Record<string, string>> = {
  [PLAIN]: 'fn say(n: int) int {\nprint(n)\nreturn n\n}',
  'functions that wait': `fn say(n: int) int {
    let (tx, rx) = chan<int>(1)
    tx.send(n) catch e {}
    print(rx.recv() catch 0)
    return n
}`,
};

for (const [what, sayer] of Object.entries(SAYERS))
  test(`evaluates expressions in source order even if they need statements: ${what}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean()), { minLength: 1, maxLength: 5 }), async pieces => {
        const world: World = { a: 1n, n: 3n, stored: new Map(), printed: [] };
        for (const [each, isStored] of pieces)
          if (isStored) store(world, each);
          else say(world, each.value(world));
        say(world, world.a);
        for (const [key, value] of world.stored) say(world, wrap(key * 31n + value));
        let names = 0;
        const unique = (): string => `v${(names += 1)}`;
        const lines = pieces.flatMap(([each, isStored]) =>
          isStored ? [`keys.push(a)`, `stored[a] = ${each.code(unique)}`] : [`print(${each.code(unique)})`],
        );
        const start = [
          'let mut a = 1',
          'let mut p = P { n: 3 }',
          'let stored = Map<int, int> {}',
          'let keys: [int] = []',
        ];
        const end = [
          'print(a)',
          'p.n = a',
          'for i in 0..keys.len() { if keys.index_of(keys[i]) == i { print(keys[i] * 31 + stored[keys[i]]) } }',
        ];
        const body = [...start, 'for once in 0..1 {', ...lines, '}', ...end].join('\n');
        const source = `${DECLARATIONS}${sayer}\nfn run() {\n${body}\n}\nfn main() { run() }\n`;
        assert.equal(await outputOf(source), `${world.printed.join('\n')}\n`);
        if (what === PLAIN) assert.notEqual((await loweredProgram(source)).wasm, 'none', source);
      }),
      { numRuns: 60 },
    );
  });
