import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../../../../src/pluto/language/edit/text-edit.ts';
import type { DeclId } from '../../../../../src/pluto/language/syntax/ast/node.ts';
import { eachItem, type Item, nameOfItem } from '../../../../../src/pluto/language/syntax/parts.ts';
import { checkedPrograms } from '../check-programs.ts';
import { CheckWorld } from '../check-world.ts';

/** Whether an item can be renamed: only the program gives its name a meaning. */
const isFreeToChange = (item: Item): boolean =>
  !['ImportDecl', 'TestDecl', 'TestsDecl', 'Receiver', 'SystemMember', 'ExternDecl'].includes(item.kind) &&
  nameOfItem(item) !== 'main';

const countItems = (
  world: CheckWorld,
): readonly { readonly id: DeclId; readonly index: number; readonly name: string }[] => {
  const items: { id: DeclId; index: number; name: string }[] = [];
  let index = 0;
  for (const state of world.project.loaded)
    if (state.kind === 'loaded')
      eachItem(state.module.tree.items, item => {
        index += 1;
        if (item.id !== undefined && isFreeToChange(item)) items.push({ id: item.id, index, name: nameOfItem(item) });
      });
  return items;
};

async function rename(world: CheckWorld, index: number, name: string): Promise<number> {
  const item = countItems(world).find(one => one.index === index);
  assert.ok(item !== undefined);
  const edits = world.checker.renameEdits(item.id, name);
  await world.write(
    Object.fromEntries(Array.from(edits, ([path, list]) => [path, applyEdits(world.textOf(path), list)])),
  );
  return edits.size;
}

/** Whether the program is not part of a system, whose programs refer to each other by class names. */
const isAlone = (files: Readonly<Record<string, string>>): boolean =>
  !Object.values(files).some(text => /^system /m.test(text));

for (const { name: title, files } of checkedPrograms().filter(
  program => program.name.startsWith('accepted:') && isAlone(program.files),
))
  test(`renames every item and back without changes: ${title}`, async () => {
    const start = await CheckWorld.of(files);
    for (const { index, name } of countItems(start)) {
      const world = await CheckWorld.of(files);
      const isUpper = /^[A-Z]/.test(name);
      const before = world.findings();
      assert.ok((await rename(world, index, isUpper ? 'Renamed' : 'renamed')) > 0, name);
      const said = world.checker.check().map(found => `${world.placeOf(found)}: ${found.message}`);
      assert.deepEqual(said, before, `${name} of ${title}`);
      await rename(world, index, name);
      const back = Object.fromEntries(Object.keys(files).map(path => [path, world.textOf(path) || files[path]]));
      assert.deepEqual(back, files, `${name} of ${title}`);
    }
  });
