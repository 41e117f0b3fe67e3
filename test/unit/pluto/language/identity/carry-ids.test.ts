import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher as hasher } from '../../../../../src/adapters/node/hasher.ts';
import { nodeRandom } from '../../../../../src/adapters/node/random.ts';
import { carryIds } from '../../../../../src/pluto/language/identity/carry-ids.ts';
import { tombstonesAfter } from '../../../../../src/pluto/language/identity/tombstones.ts';
import { hintsOf } from '../../../../../src/pluto/language/identity/hints.ts';
import { countedIds, derivedIds, freshIds, isDeclId } from '../../../../../src/pluto/language/identity/ids.ts';
import type { ParsedModule } from '../../../../../src/pluto/language/syntax/ast/decl.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { eachItem, type Item, nameOfItem } from '../../../../../src/pluto/language/syntax/parts.ts';
import { idsOf, identified, programText } from '../program-text.ts';

/** Creates ids that `identified` never assigns. */
const makeId = freshIds(nodeRandom);

function edited(before: ParsedModule, text: string, extra: Partial<Parameters<typeof carryIds>[0]> = {}) {
  const after = parseModule(text);
  return { after, carried: carryIds({ before, after, makeId, ...extra }) };
}

function idOf(module: ParsedModule, path: string): string {
  let found: string | undefined;
  eachItem(module.tree.items, (item: Item, owners) => {
    if ([...owners, item].map(nameOfItem).join('.') === path) found ??= item.id;
  });
  assert.ok(found !== undefined, `no item ${path}`);
  return found;
}

const sample = `import std.json as json
fn area(width: int, height: int) int {
    let product = width * height
    return product
}

class Point {
    x: float
    y: float

    fn scale(mut self, by: float) {
        self.x *= by
    }
}

enum Shape {
    Dot
    Circle { radius: float }
}
`;

test('assigns a unique id to every item at the first reading', () => {
  fc.assert(
    fc.property(programText, text => {
      const ids = idsOf(identified(text));
      assert.ok(ids.every(id => id !== undefined && isDeclId(id)));
      assert.equal(new Set(ids).size, ids.length);
    }),
  );
});

test('changes no id when the same text is read again', () => {
  fc.assert(
    fc.property(programText, text => {
      const before = identified(text);
      const { after, carried } = edited(before, text);
      assert.deepEqual(idsOf(after), idsOf(before));
      assert.deepEqual([carried.added, carried.removed], [[], []]);
    }),
  );
});

test('derives the same ids for a text module in every process, and different ones per module', () => {
  const read = (module: string): readonly (string | undefined)[] => {
    const after = parseModule(sample);
    carryIds({ before: undefined, after, makeId: derivedIds(hasher, module) });
    return idsOf(after);
  };
  assert.deepEqual(read('shop/orders'), read('shop/orders'));
  assert.ok(read('shop/orders').every(id => id !== undefined && isDeclId(id)));
  assert.equal(new Set([...read('shop/orders'), ...read('shop/other')]).size, read('shop/orders').length * 2);
  // Agents store ids, so later versions must derive the same ones.
  assert.deepEqual(read('shop/orders').slice(0, 2), [
    '00f579c1-a334-8fab-b074-1e04524e77fb',
    '9516fe82-26d3-8bbd-899c-e2307a669f1a',
  ]);
});

test('counts the same ids for a module that is read again, and others for another module', () => {
  const idsIn = countedIds();
  const read = (module: string): readonly (string | undefined)[] => {
    const after = parseModule(sample);
    carryIds({ before: undefined, after, makeId: idsIn(module) });
    return idsOf(after);
  };
  assert.deepEqual(read('shop/orders'), read('shop/orders'));
  assert.ok(read('shop/orders').every(id => id !== undefined && isDeclId(id)));
  assert.equal(new Set([...read('shop/orders'), ...read('shop/other')]).size, read('shop/orders').length * 2);
});

test('keeps the ids of a function and its parts when its body changes', () => {
  const before = identified(sample);
  const { after } = edited(before, sample.replace('width * height', 'width * height + 1'));
  assert.deepEqual(idsOf(after), idsOf(before));
});

test('keeps the ids of renamed and moved items and their parts', () => {
  const before = identified(sample);
  const renamed = sample.replace('fn area', 'fn surface').replace('Circle', 'Round').replace('x: float', 'left: float');
  const { after } = edited(before, renamed);
  assert.equal(idOf(after, 'surface'), idOf(before, 'area'));
  assert.equal(idOf(after, 'surface.width'), idOf(before, 'area.width'));
  assert.equal(idOf(after, 'Shape.Round.radius'), idOf(before, 'Shape.Circle.radius'));
  assert.equal(idOf(after, 'Point.left'), idOf(before, 'Point.x'));
  assert.equal(idOf(after, 'Point.y'), idOf(before, 'Point.y'));
  const [first = '', ...rest] = sample.split('\n\n');
  const moved = edited(before, [...rest, first].join('\n\n')).after;
  for (const path of ['area', 'area.height', 'Point.scale.by', 'Shape.Dot'])
    assert.equal(idOf(moved, path), idOf(before, path));
});

test('keeps the id of an item that is renamed and slightly changed, but not of a different one', () => {
  const before = identified(sample);
  const similar = edited(
    before,
    sample.replace('fn area', 'fn surface').replace('return product', 'return product + 0'),
  );
  assert.equal(idOf(similar.after, 'surface'), idOf(before, 'area'));
  assert.equal(similar.carried.pairs.find(({ after }) => nameOfItem(after) === 'surface')?.reason, 'similar');
  const other = edited(before, sample.replace(/fn area[^}]*\}/, 'fn greet(name: string) {\n    print(name)\n}'));
  assert.ok(!idsOf(before).includes(idOf(other.after, 'greet')));
});

test('prefers an id hint to the name, unless the id is unknown or of another kind', () => {
  const before = identified('fn one() {}\nfn two() {}\nclass Three {}\n');
  const [one, two, three] = ['one', 'two', 'Three'].map(path => idOf(before, path));
  const swapped = parseModule(
    `// @uuid: ${two}\n// about it\nfn one() {}\n// @uuid: ${one}\nfn two() {}\n// @uuid: ${one}\nclass Three {}\n`,
  );
  carryIds({ before, after: swapped, makeId, hints: hintsOf(swapped) });
  assert.deepEqual(
    ['one', 'two', 'Three'].map(path => idOf(swapped, path)),
    [two, one, three],
  );
});

test('restores the ids of a declaration and its parts when it returns unchanged', () => {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const before = identified(sample);
  const without = edited(before, sample.replace(/fn area[^}]*\}\n/, '')).after;
  const list = tombstonesAfter([], before, without, { hash, isElsewhere: () => false });
  assert.deepEqual(
    list.map(({ kind, name }) => `${kind} ${name}`),
    ['function area', 'param area.width', 'param area.height'],
  );
  const tombstones = { list, hash };
  const { after } = edited(without, sample, { tombstones });
  assert.deepEqual(idsOf(after), idsOf(before));
  const other = edited(without, sample.replace('fn area', 'fn size'), { tombstones }).after;
  assert.notEqual(idOf(other, 'size'), idOf(before, 'area'));
  assert.deepEqual(tombstonesAfter(list, without, after, { hash, isElsewhere: () => false }), []);
  assert.deepEqual(tombstonesAfter([], before, without, { hash, isElsewhere: () => true }), []);
});

test('never duplicates an id or drops one without reporting it', () => {
  fc.assert(
    fc.property(programText, programText, (one, two) => {
      const before = identified(one);
      const { after, carried } = edited(before, two);
      const ids = idsOf(after);
      assert.equal(new Set(ids).size, ids.length);
      const removed = new Set<string | undefined>(carried.removed.map(({ id }) => id));
      for (const id of idsOf(before)) assert.notEqual(removed.has(id), ids.includes(id));
    }),
  );
});
