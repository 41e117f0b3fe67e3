import { test } from 'node:test';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { closedClasses } from '../../../../../../src/pluto/program/backend/wasm/closed-classes.ts';
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
    program => runToEnd(closedClasses(program)),
  );
});
