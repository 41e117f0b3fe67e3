import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { emitProgram } from '../../../../../../src/pluto/program/backend/javascript/emit-program.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { WasmProgram } from '../../../../../../src/pluto/program/backend/wasm/wasm-program.ts';
import { assertLinearTime } from '../../../../../harness/linear-time.ts';
import { built } from '../typed/build-source.ts';

/** A chain of classes, of which the last one cannot be in WebAssembly. */
function chainOf(count: number): string {
  const classes = Array.from({ length: count }, (_, at) => `class C${at} {\n    next: C${at + 1}?\n}\n`);
  const objects = Array.from({ length: count }, (_, at) => `    print(C${at} { next: none }.next == none)\n`);
  return `${classes.join('')}class C${count} {\n    lists: [Task<int>]\n}\nfn main() {\n${objects.join('')}}\n`;
}

test('excludes a chain of classes from WebAssembly in linear time', async () => {
  const size = 1000;
  const [small, large] = [await built(chainOf(size)), await built(chainOf(4 * size))];
  assertLinearTime(
    size,
    one => (one === size ? small : large),
    program => runToEnd(closedTypes(program)),
  );
});

test('emits a function with many loops over lists in linear time', async () => {
  const sourceOf = (count: number): string => {
    const loops = Array.from(
      { length: count },
      (_, at) => `    let a${at} = n\n    for i in 0..n { s = s + a${at} * l[i] }\n`,
    );
    return `fn f(n: int, l: [int]) int {\n    let mut s = 0\n${loops.join('')}    return s\n}\nfn main() { print(f(1, [1])) }\n`;
  };
  const size = 500;
  const [small, large] = [await built(sourceOf(size)), await built(sourceOf(4 * size))];
  assertLinearTime(
    size,
    one => (one === size ? small : large),
    program => runToEnd(WasmProgram.of(program)),
  );
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Emits programs of a size, and of four times the size, in which all functions but `main` become WebAssembly. */
async function assertLinearEmission(size: number, sourceOf: (size: number) => string): Promise<void> {
  const [small, large] = [await built(sourceOf(size)), await built(sourceOf(4 * size))];
  assertLinearTime(
    size,
    one => (one === size ? small : large),
    program => {
      const wasm = runToEnd(WasmProgram.of(program));
      runToEnd(emitProgram(program, wasm));
      assert.equal(wasm.isEmpty, false);
    },
  );
}

test('emits a match with many arms in linear time', () =>
  assertLinearEmission(500, size => {
    const variants = numbers(size).map(at => `    V${at} { n: int }`);
    const arms = numbers(size).map(at => `E.V${at} { n: n${at} } { at = E.V${(at + 1) % size} { n: n${at} + 1 } }`);
    return `enum E {\n${variants.join('\n')}\n}\nfn run(count: int) bool {\n    let mut at = E.V0 { n: 1 }\n    for i in 0..count {\n        match at {\n${arms.join('\n')}\n        }\n    }\n    return at == E.V1 { n: 2 }\n}\nfn main() { print(run(1)) }\n`;
  }));

test('emits matches of a chain of enums in linear time', () =>
  assertLinearEmission(250, size => {
    const enums = numbers(size).map(at => `enum E${at} {\n    End\n    Next { of: E${at + 1} }\n}`);
    const functions = numbers(size).map(
      at =>
        `fn f${at}(e: E${at}, n: int) int {\n    for i in 0..n {\n        match e {\n            E${at}.End { return i }\n            E${at}.Next { of } { return f${at + 1}(of, n) }\n        }\n    }\n    return 0\n}`,
    );
    const ends = numbers(size).map(at => `    sum += f${at}(E${at}.End, n)`);
    const last = `enum E${size} {\n    End\n    Next { of: int }\n}\nfn f${size}(e: E${size}, n: int) int { return n }`;
    return `${enums.join('\n')}\n${last}\n${functions.join('\n')}\nfn run(n: int) int {\n    let mut sum = f${size}(E${size}.End, n)\n${ends.join('\n')}\n    return sum\n}\nfn main() { print(run(3)) }\n`;
  }));

test('emits calls of one trait with many classes, and of many traits, in linear time', async () => {
  await assertLinearEmission(250, size => {
    const classes = numbers(size).map(at => `class C${at} impl T { fn go(self, x: int) int { return x + ${at} } }`);
    const objects = numbers(size).map(at => `    all.push(C${at} {})`);
    return `trait T { fn go(self, x: int) int }\n${classes.join('\n')}\nfn run(n: int) int {\n    let mut all: [T] = []\n${objects.join('\n')}\n    let mut sum = 0\n    for one in all { sum += one.go(n) }\n    return sum\n}\nfn main() { print(run(3)) }\n`;
  });
  await assertLinearEmission(150, size => {
    const traits = numbers(size).map(
      at =>
        `trait T${at} { fn go${at}(self) int }\nclass C${at} impl T${at} { fn go${at}(self) int { return ${at} } }\nclass D${at} impl T${at} { fn go${at}(self) int { return 1 } }\nfn f${at}(n: int) int {\n    let mut of: T${at} = C${at} {}\n    for i in 0..n { if of.go${at}() > 1 { of = D${at} {} } }\n    return of.go${at}()\n}`,
    );
    const calls = numbers(size).map(at => `    print(f${at}(2))`);
    return `${traits.join('\n')}\nfn main() {\n${calls.join('\n')}\n}\n`;
  });
});

test('emits many function values of one type, and of many types, in linear time', async () => {
  await assertLinearEmission(250, size => {
    const closures = numbers(size).map(at => `    all.push((x: int) => x * ${at} + n)`);
    return `fn run(n: int) int {\n    let mut all: [fn(int) int] = []\n${closures.join('\n')}\n    let mut sum = 0\n    for f in all { sum += f(n) }\n    return sum\n}\nfn main() { print(run(3)) }\n`;
  });
  await assertLinearEmission(150, size => {
    const functions = numbers(size).map(
      at =>
        `class C${at} { f: fn(C${at}) int }\nfn f${at}(n: int) int {\n    let all = [C${at} { f: (c: C${at}) => n + ${at} }]\n    let mut sum = 0\n    for i in 0..n {\n        let f = all[0].f\n        sum += f(all[0])\n    }\n    return sum\n}`,
    );
    const calls = numbers(size).map(at => `    print(f${at}(2))`);
    return `${functions.join('\n')}\nfn main() {\n${calls.join('\n')}\n}\n`;
  });
});

test('emits calls with handlers, and errors with a field of an enum, in linear time', () =>
  assertLinearEmission(250, size => {
    const variants = numbers(size).map(at => `    V${at} { n: int }`);
    const functions = numbers(size).map(
      at => `fn f${at}(n: int) int {\n    if n == ${at} { raise Bad { kind: E.V${at} { n: n } } }\n    return n\n}`,
    );
    const calls = numbers(size).map(at => `        sum += f${at}(i) catch e: Bad { ${at} }`);
    return `enum E {\n${variants.join('\n')}\n}\nerror Bad { kind: E }\n${functions.join('\n')}\nfn run(n: int) int {\n    let mut sum = 0\n    for i in 0..n {\n${calls.join('\n')}\n    }\n    return sum\n}\nfn main() { print(run(3)) }\n`;
  }));
