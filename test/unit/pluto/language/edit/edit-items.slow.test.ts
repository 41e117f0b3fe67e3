import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  insertDeclaration,
  insertDependency,
  insertMember,
  type NewItemPosition,
  removeItem,
  replaceItem,
} from '../../../../../src/pluto/language/edit/edit-items.ts';
import { applyEdits } from '../../../../../src/pluto/language/edit/text-edit.ts';
import type { Decl, ParsedModule } from '../../../../../src/pluto/language/syntax/ast/decl.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { isItem } from '../../../../../src/pluto/language/syntax/parts.ts';
import { commentedText } from '../program-text.ts';

const textsOf = ({ text, tree }: ParsedModule): readonly string[] =>
  tree.items.map(({ start, end }) => text.slice(start, end));
const added = 'fn brand_new(a: int) int {\n    return a\n}';

test('leaves untouched declarations byte for byte the same in random edits', () => {
  fc.assert(
    fc.property(commentedText, fc.constantFrom('insert', 'remove', 'replace'), fc.nat(), (text, what, at) => {
      const module = parseModule(text);
      const items = module.tree.items.filter(isItem);
      const index = items.length === 0 ? 0 : at % items.length;
      const item = items[index];
      const expected = [...textsOf(module)];
      let result: string;
      if (item === undefined || what === 'insert') {
        const isAfter = item !== undefined && at % 2 === 0;
        const place: NewItemPosition =
          item === undefined ? { kind: 'end' } : { kind: isAfter ? 'after' : 'before', item };
        result = applyEdits(text, [insertDeclaration(module, added, place)]);
        expected.splice(isAfter ? index + 1 : index, 0, added);
      } else if (what === 'remove') {
        result = applyEdits(text, [removeItem(module, item)]);
        expected.splice(index, 1);
      } else {
        result = applyEdits(text, [replaceItem(module, item, added)]);
        expected[index] = added;
      }
      const after = parseModule(result);
      assert.deepEqual(textsOf(after), expected, `${what} ${index}\n${text}\n=====\n${result}`);
    }),
    { numRuns: 500 },
  );
});

const shop = `// The shop.
import std.json

// What is sold.
pub class Item {
    name: string // shown
    price: int

    fn total(self, count: int) int {
        return self.price * count
    }
}

// Nothing else.
enum State {}
`;
const find = (module: ParsedModule, kind: Decl['kind']): Decl => module.tree.items.find(item => item.kind === kind)!;
function edit(text: string, make: (module: ParsedModule) => Parameters<typeof applyEdits>[1][number]): string {
  return applyEdits(text, [make(parseModule(text))]);
}

test('removes an item with its comments and one empty line', () => {
  assert.equal(
    edit(shop, module => removeItem(module, find(module, 'ClassDecl'))),
    '// The shop.\nimport std.json\n\n// Nothing else.\nenum State {}\n',
  );
  assert.ok(
    edit(shop, module => removeItem(module, find(module, 'EnumDecl'))).endsWith(
      '        return self.price * count\n    }\n}\n',
    ),
  );
  const field = edit(shop, module => {
    const item = find(module, 'ClassDecl');
    assert.ok(item.kind === 'ClassDecl');
    return removeItem(module, item.members[0]!);
  });
  assert.equal(field, shop.replace('    name: string // shown\n', ''));
});

test('removes comments above the first declaration when the text begins with an empty line', () => {
  const module = parseModule('\n// Removed too.\nfn removed() {}\n');
  const [removed] = module.tree.items;
  assert.ok(removed !== undefined);
  assert.deepEqual(removeItem(module, removed).span, { start: 0, end: module.text.length });
});

test('adds members with the indentation and line ends of their neighbors', () => {
  const add = (text: string, source: string, isSpaced: boolean, place: NewItemPosition = { kind: 'end' }): string =>
    edit(text, module => {
      const owner = module.tree.items.find(item => item.kind === 'ClassDecl' || item.kind === 'EnumDecl')!;
      assert.ok(owner.kind === 'ClassDecl' || owner.kind === 'EnumDecl');
      return insertMember(module, owner, source, place, isSpaced);
    });
  assert.equal(
    add(shop, 'fn free(self) bool {\n    return self.price == 0\n}', true),
    shop.replace('count\n    }\n', 'count\n    }\n\n    fn free(self) bool {\n        return self.price == 0\n    }\n'),
  );
  assert.equal(add('enum State {}\n', 'On', false), 'enum State {\n    On\n}\n');
  assert.equal(add('enum State { Off }\n', 'On', false), 'enum State { Off\n    On\n}\n');
  assert.equal(add('enum State {\r\n  Off\r\n}\r\n', 'On', false), 'enum State {\r\n  Off\r\n  On\r\n}\r\n');
});

test('adds dependencies to the brackets after the name or the used classes', () => {
  const add = (text: string): string =>
    edit(text, module => {
      const owner = module.tree.items[0]!;
      assert.ok(owner.kind === 'ClassDecl' || owner.kind === 'AppDecl' || owner.kind === 'StageDecl');
      return insertDependency(module, owner, 'db: Database');
    });
  assert.equal(add('class A {}'), 'class A[db: Database] {}');
  assert.equal(add('class A<T: B> {}'), 'class A<T: B>[db: Database] {}');
  assert.equal(add('class A uses B {}'), 'class A uses B [db: Database] {}');
  assert.equal(add('app A[log: Log] {}'), 'app A[log: Log, db: Database] {}');
  assert.equal(add('stage A : B {}'), 'stage A : B[db: Database] {}');
});

test('refuses overlapping edits', () => {
  assert.throws(
    () =>
      applyEdits('abc', [
        { span: { start: 0, end: 2 }, text: '' },
        { span: { start: 1, end: 3 }, text: '' },
      ]),
    RangeError,
  );
});
