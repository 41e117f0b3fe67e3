import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../../../src/base/errors.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { addField, addMethod } from '../../../../src/pluto/session/edits/add-member.ts';
import { deleteDeclaration } from '../../../../src/pluto/session/edits/delete-declaration.ts';
import { renameDeclaration } from '../../../../src/pluto/session/edits/rename-declaration.ts';
import { replaceDeclaration } from '../../../../src/pluto/session/edits/replace-declaration.ts';
import { idsWithin } from '../../../../src/pluto/session/edits/apply-edits.ts';
import { declarationsOf } from '../../../../src/pluto/session/edits/snippet.ts';
import { commentedText } from '../language/program-text.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

type Step = { readonly kind: 'add' | 'replace' | 'delete' | 'method' | 'field' | 'undo'; readonly at: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'replace', 'delete', 'method', 'field', 'undo'),
  at: fc.nat(50),
});

const snippets = [
  '// New.\nfn added(a: int) int {\n    return a // same\n}',
  'class Added {\n    x: int\n\n    fn get(self) int {\n        return self.x\n    }\n}',
  'enum Added2 {\n    One\n    Two { a: int }\n}',
];

/** Runs one step on one declaration. Returns the id whose text may differ. A refused step changes nothing. */
async function take(world: SessionWorld, { kind, at }: Step): Promise<string | undefined> {
  const { session } = world;
  const items = declarationsOf((await session.module('a.pluto')).module);
  const item = items[at % Math.max(1, items.length)];
  if (kind === 'undo') return session.undoDepth > 0 ? void (await session.undo(signal)) : undefined;
  if (kind === 'add') {
    const position = item === undefined || item.kind === 'ImportDecl' ? 'end' : `after:${String(item.id)}`;
    return (await addDeclaration(session, { path: 'a.pluto', source: snippets[at % 3] ?? '', position }, signal)).id;
  }
  if (item?.id === undefined) return undefined;
  if (kind === 'delete') return void (await deleteDeclaration(session, item.id, signal));
  if (kind === 'method')
    await addMethod(
      session,
      { ownerId: item.id, source: 'fn fresh(self) int {\n    return 1\n}', position: 'end' },
      signal,
    );
  else if (kind === 'field')
    await addField(session, { ownerId: item.id, name: `f${at}`, type: 'int', isInjected: false }, signal);
  else if (item.kind === 'FunctionDecl')
    await replaceDeclaration(session, { id: item.id, source: `fn ${item.name.text}() {\n    print(${at})\n}` }, signal);
  return item.id;
}

/** The text of every declaration by id, and the ids in it. */
async function declarations(world: SessionWorld) {
  const { module } = await world.session.module('a.pluto');
  return new Map(
    declarationsOf(module).map(item => [
      String(item.id),
      { text: module.text.slice(item.start, item.end), ids: Array.from(idsWithin(item)) },
    ]),
  );
}

test('keeps ids and untouched text through random edits and a save', async () => {
  await fc.assert(
    fc.asyncProperty(commentedText, fc.array(step, { maxLength: 12 }), async (text, steps) => {
      const world = await SessionWorld.of({ 'a.pluto': text });
      for (const one of steps) {
        const before = await declarations(world);
        let touched: string | undefined;
        try {
          touched = await take(world, one);
        } catch (error) {
          // A refusal is a valid result; any other error is a bug.
          assert.ok(error instanceof AppError && error.code.startsWith('PLUTO_'), String(error));
          assert.deepEqual(await declarations(world), before);
          continue;
        }
        if (one.kind === 'undo') continue;
        const after = await declarations(world);
        for (const [id, was] of before)
          if (id !== touched && !(one.kind === 'delete' && !after.has(id))) assert.deepEqual(after.get(id), was);
      }
      await world.save();
      const last = await declarations(world);
      const ids = await world.ids('a.pluto');
      const again = await world.again();
      if (steps.length === 0 || world.disk.text('a.pluto') === text) return;
      assert.deepEqual(await declarations(again), last);
      assert.deepEqual(await again.ids('a.pluto'), ids);
    }),
    { numRuns: 60 },
  );
});

test('restores the initial text and ids when every edit is undone', async () => {
  await fc.assert(
    fc.asyncProperty(commentedText, fc.array(step, { maxLength: 8 }), async (text, steps) => {
      const world = await SessionWorld.of({ 'a.pluto': text });
      const ids = await world.ids('a.pluto');
      for (const one of steps)
        if (one.kind !== 'undo') await take(world, one).catch((error: unknown) => assert.ok(error instanceof AppError));
      while (world.session.undoDepth > 0) await world.session.undo(signal);
      assert.equal(await world.text('a.pluto'), text);
      assert.deepEqual(await world.ids('a.pluto'), ids);
      assert.deepEqual(world.session.dirty, []);
    }),
    { numRuns: 40 },
  );
});

const shop = {
  'shop.pluto': `pub trait Priced {
    fn price(self) int
}

pub class Item impl Priced {
    cost: int // in cents

    fn price(self) int {
        return self.cost
    }
}

pub enum Kind {
    Toy
    Food { kilos: int }
}

pub error Sold {
    item: string
}

pub fn total(items: [Item]) int {
    let mut sum = 0
    for item in items {
        sum += item.price()
    }
    return sum
}
`,
  'main.pluto': `import shop as s

fn weigh(kind: s.Kind) int {
    match kind {
        s.Kind.Toy {
            return 0
        }
        s.Kind.Food { kilos: heavy } {
            return heavy
        }
    }
    return 0
}

fn sell(item: s.Item) int {
    if item.cost == 0 {
        raise s.Sold { item: "it" }
    }
    return s.total([item])
}

fn main() {
    print(sell(s.Item { cost: 3 }) catch 0)
    print(weigh(s.Kind.Food { kilos: 2 }))
}
`,
};

test('changes nothing when an item is renamed and renamed back', async () => {
  const world = await SessionWorld.of(shop);
  await world.session.modules(signal);
  assert.deepEqual(
    world.session.checker.check().filter(({ severity }) => severity === 'error'),
    [],
  );
  const names = ['Priced', 'Priced.price', 'Item', 'Item.cost', 'Item.price', 'Kind', 'Kind.Food', 'Kind.Food.kilos'];
  for (const name of [...names, 'Sold', 'Sold.item', 'total', 'weigh', 'sell']) {
    const id = await world.idOf(name);
    const old = name.split('.').at(-1) ?? '';
    const renamed = await renameDeclaration(world.session, { id, newName: 'renamed_it' }, signal);
    assert.ok(renamed.modules.length > 0, name);
    assert.equal(
      (await world.text('shop.pluto')) + (await world.text('main.pluto')) === shop['shop.pluto'] + shop['main.pluto'],
      false,
    );
    assert.deepEqual(
      world.session.checker.check().filter(({ severity }) => severity === 'error'),
      [],
      name,
    );
    await renameDeclaration(world.session, { id, newName: old }, signal);
    for (const [path, text] of Object.entries(shop)) assert.equal(await world.text(path), text, name);
    assert.equal(await world.idOf(name), id);
  }
});

test('keeps the variable of a shorthand pattern when its field is renamed', async () => {
  const world = await SessionWorld.of({
    'a.pluto':
      'enum E {\n    V { size: int }\n}\n\nfn f(e: E) int {\n    match e {\n        E.V { size } {\n            return size\n        }\n    }\n    return 0\n}\n',
  });
  await renameDeclaration(world.session, { id: await world.idOf('E.V.size'), newName: 'width' }, signal);
  assert.match(await world.text('a.pluto'), /E\.V \{ width: size \} \{\n {12}return size/);
});
