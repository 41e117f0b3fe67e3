import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { WasmProgram } from '../../../../../../src/pluto/program/backend/wasm/wasm-program.ts';
import { assertLinearTime } from '../../../../../harness/linear-time.ts';
import { built } from '../typed/build-source.ts';

/** A chain of classes, of which the last one cannot be in WebAssembly. */
function chainOf(count: number): string {
  const classes = Array.from({ length: count }, (_, at) => `class C${at} {\n    next: C${at + 1}?\n}\n`);
  const objects = Array.from({ length: count }, (_, at) => `    print(C${at} { next: none }.next == none)\n`);
  return `${classes.join('')}class C${count} {\n    map: Map<int, int>\n}\nfn main() {\n${objects.join('')}}\n`;
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
