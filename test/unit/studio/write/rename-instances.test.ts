import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileSystem } from '../../../../src/ports/file-system.ts';
import type { FileTransactions } from '../../../../src/ports/file-transactions.ts';
import type { ProjectSession } from '../../../../src/project/project-session.ts';
import { independentRenames, renameInstances } from '../../../../src/studio/write/rename-instances.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const signal = new AbortController().signal;
const feed = { assume: () => ({ [Symbol.dispose]: () => undefined }) };

/** The object, with a call of `onCall` before each call of a method. */
const watched = <T extends object>(of: T, onCall: (method: string, args: readonly unknown[]) => void): T =>
  new Proxy(of, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        onCall(String(property), args);
        return Reflect.apply(member, target, args);
      };
    },
  });

/** Renames children of ReplicatedStorage, as Studio reports it. Returns the outcomes, and the number of transactions. */
async function rename(
  world: ProjectWorld,
  names: readonly (readonly [from: string, to: string])[],
  session: ProjectSession = world.session,
  files: FileSystem = world.files,
) {
  let began = 0;
  const transactions: FileTransactions = {
    async begin() {
      began += 1;
      return { runId: `run ${began}`, finish: async () => undefined };
    },
  };
  const all = names.map(([base, name]) => ({ id: world.at(`ReplicatedStorage/${base}`).id, name, base: nameOf(base) }));
  const outcomes = [];
  for (const group of independentRenames(all, session))
    outcomes.push(...(await renameInstances(group, { session, files, transactions, signal, feed })).outcomes);
  return { outcomes: outcomes.map(({ what, outcome }) => `${what} ${outcome}`), began };
}
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Renames `count` files of a folder. Returns how often an instance was looked up or a folder listed. */
async function stepsFor(count: number): Promise<number> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  using world = await openProject(
    smallProject(Object.fromEntries(numbers.map(index => [`src/Old${index}.luau`, `return ${index}`]))),
  );
  let steps = 0;
  const session = watched(world.session, method => {
    if (method === 'get') steps += 1;
  });
  const files = watched(world.files, method => {
    if (method === 'list') steps += count;
  });
  const { outcomes, began } = await rename(
    world,
    numbers.map(index => [`Old${index}`, `New${index}`] as const),
    session,
    files,
  );
  assert.deepEqual(
    outcomes,
    numbers.map(index => `ReplicatedStorage/New${index} written`),
  );
  assert.equal(began, 1);
  assert.equal(world.files.text(`src/New${count - 1}.luau`), `return ${count - 1}`);
  return steps;
}

test('takes four times as many steps for four times as many renames in one folder', async () => {
  const [few, many] = [await stepsFor(50), await stepsFor(200)];
  assert.ok(many <= 4 * few, `${few} steps for 50 renames, ${many} for 200`);
});

test('gives a name to a script when another one had it before', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'a', 'src/B.luau': 'b' }));
  const { outcomes } = await rename(world, [
    ['A', 'C'],
    ['B', 'A'],
  ]);
  assert.deepEqual(outcomes, ['ReplicatedStorage/C written', 'ReplicatedStorage/A written']);
  assert.deepEqual([world.files.text('src/C.luau'), world.files.text('src/A.luau')], ['a', 'b']);
});

test('does not exchange the names of two scripts, because disk has both names', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'a', 'src/B.luau': 'b' }));
  const { outcomes, began } = await rename(world, [
    ['A', 'B'],
    ['B', 'A'],
  ]);
  assert.deepEqual(outcomes, ['ReplicatedStorage/A conflict', 'ReplicatedStorage/B conflict']);
  assert.equal(began, 0);
});

test('renames a folder and what is in it', async () => {
  using world = await openProject(smallProject({ 'src/Kit/A.luau': 'a', 'src/Kit/B.luau': 'b' }));
  for (const [folder, from, to] of [
    ['Kit', 'A', 'A1'],
    ['Set', 'B', 'B1'],
  ] as const) {
    const { outcomes } = await rename(world, [
      [folder, folder === 'Kit' ? 'Set' : 'Box'],
      [`${folder}/${from}`, to],
    ]);
    assert.deepEqual(
      outcomes.map(outcome => outcome.endsWith(' written')),
      [true, true],
    );
  }
  assert.deepEqual([world.files.text('src/Box/A1.luau'), world.files.text('src/Box/B1.luau')], ['a', 'b']);
});

test('renames a script and then the folder around it', async () => {
  using world = await openProject(smallProject({ 'src/Kit/A.luau': 'a' }));
  const { outcomes } = await rename(world, [
    ['Kit/A', 'A1'],
    ['Kit', 'Set'],
  ]);
  assert.deepEqual(outcomes, ['ReplicatedStorage/Kit/A1 written', 'ReplicatedStorage/Set written']);
  assert.equal(world.files.text('src/Set/A1.luau'), 'a');
});

test('renames the other files when one cannot be renamed', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'a', 'src/B.luau': 'b', 'src/C.luau': 'c' }));
  const files = watched(world.files, (_method, args) => {
    if (
      args.some(arg => typeof arg === 'string' && /src\/(B|B1)\.luau$/.test(arg)) &&
      _method !== 'read' &&
      _method !== 'stat'
    )
      throw new Error('the file is locked');
  });
  const { outcomes } = await rename(
    world,
    [
      ['A', 'A1'],
      ['B', 'B1'],
      ['C', 'C1'],
    ],
    world.session,
    files,
  );
  assert.deepEqual(outcomes, [
    'ReplicatedStorage/A1 written',
    'ReplicatedStorage/B failed',
    'ReplicatedStorage/C1 written',
  ]);
  assert.deepEqual(
    ['A1', 'B', 'C1'].map(name => world.files.text(`src/${name}.luau`)),
    ['a', 'b', 'c'],
  );
});

test('looks again at the names when disk changes while renames are planned', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'a', 'src/B.luau': 'b' }));
  let isChanged = false;
  const planPulls: ProjectSession['planPulls'] = async (pulls, stopped) => {
    const plan = await world.session.planPulls(pulls, stopped);
    if (isChanged) return plan;
    isChanged = true;
    world.files.set('src/A1.luau', 'new on disk');
    await world.session.refresh(signal);
    return plan;
  };
  const session: ProjectSession = new Proxy(world.session, {
    get(target, property) {
      if (property === 'planPulls') return planPulls;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const { outcomes } = await rename(
    world,
    [
      ['A', 'A1'],
      ['B', 'B1'],
    ],
    session,
  );
  assert.deepEqual(outcomes, ['ReplicatedStorage/A conflict', 'ReplicatedStorage/B1 written']);
  assert.equal(world.files.text('src/A1.luau'), 'new on disk');
});
