import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOf } from './run-source.ts';

// The parser accepts chains of a thousand links.
const LINKS = 900;

const chains: Readonly<Record<string, { readonly expr: string; readonly printed: string }>> = {
  operators: { expr: Array.from({ length: LINKS }, () => 'n').join(' + '), printed: `${LINKS}` },
  'logical operators': { expr: Array.from({ length: LINKS }, () => 'n == 1').join(' && '), printed: 'true' },
  'methods of strings': { expr: `" a "${'.trim()'.repeat(LINKS)}`, printed: 'a' },
  'methods of classes': { expr: `thing${'.same()'.repeat(LINKS)}.n`, printed: '7' },
};

for (const [what, { expr, printed }] of Object.entries(chains))
  test(`compiles and runs a long chain of ${what} without a stack overflow`, async () => {
    const source = `
class Thing {
    n: int
    invariant self.n > 0
    fn same(mut self) Thing { return self }
}
fn main() {
    let n = 1
    let mut thing = Thing { n: 7 }
    thing.n = 6 + n
    print(${expr})
    let known = () => ${expr}
    print(known())
    let value = [() => ${expr}][0]
    print(value())
}
`;
    assert.equal(await outputOf(source), `${printed}\n`.repeat(3));
  });
