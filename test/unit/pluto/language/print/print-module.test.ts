import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printDeclaration, printModule } from '../../../../../src/pluto/language/print/print-declaration.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { module } from '../arbitrary-program.ts';
import { shapeOf } from '../same-tree.ts';

const shown = (text: string, problems: readonly { message: string }[]): string =>
  `${problems.map(({ message }) => message).join('\n')}\n${text}`;

test('reads generated programs of the whole grammar back as printed', () => {
  fc.assert(
    fc.property(module, tree => {
      const text = printModule({ text: '', tree, comments: [] });
      const read = parseModule(text);
      assert.deepEqual(read.diagnostics, [], shown(text, read.diagnostics));
      assert.deepEqual(shapeOf(read.tree.items), shapeOf(tree.items), text);
    }),
    { numRuns: 500 },
  );
});

test('prints the same text again', () => {
  fc.assert(
    fc.property(module, tree => {
      const once = printModule(parseModule(printModule({ text: '', tree, comments: [] })));
      assert.equal(printModule(parseModule(once)), once);
    }),
    { numRuns: 500 },
  );
});

test('prints one declaration or member alone, with the comments inside', () => {
  const parsed = parseModule('// Above.\nclass A { // here\n x:int\n fn f(self) int {return 1 // one\n}}\nfn g(){}');
  const [first] = parsed.tree.items;
  assert.ok(first?.kind === 'ClassDecl');
  assert.equal(
    printDeclaration(parsed, first),
    'class A {\n    // here\n    x: int\n\n    fn f(self) int {\n        return 1 // one\n    }\n}',
  );
  assert.equal(printDeclaration(parsed, first.members[1]!), 'fn f(self) int {\n    return 1 // one\n}');
});

test('prints a list and a block with 150,000 elements', () => {
  for (const text of [`fn f() { g([${'1, '.repeat(150_000)}]) }`, `fn f() {\n${'g()\n'.repeat(150_000)}}\n`]) {
    const printed = printModule(parseModule(text));
    assert.equal(printed.split('\n').length, text.startsWith('fn f() { g([') ? 150_007 : 150_003);
  }
});
