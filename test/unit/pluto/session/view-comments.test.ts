import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedModule } from '../../../../src/pluto/session/changed-module.ts';
import { isItem } from '../../../../src/pluto/language/syntax/parts.ts';
import { generateView } from '../../../../src/pluto/session/views/generate-view.ts';
import type { ViewOverride } from '../../../../src/pluto/session/views/compare-with-module.ts';
import { syncView } from '../../../../src/pluto/session/views/sync-view.ts';
import { recordedDiffs } from '../../../../src/sync/history/recorded-diffs.ts';
import { createViewJournal } from '../../../../src/pluto/session/views/view-journal.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { SessionWorld, signal } from '../language/session-world.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';

const text = '// Head.\n\nfn one() {} // behind\n\n// Middle.\n\nfn two() {}\n\n// Foot.\n';

/** A saved container with its view. */
async function withView(source: string): Promise<SessionWorld> {
  const world = await SessionWorld.of({ 'a.pluto': '' });
  await write(world, source);
  await generateView(world.session, 'a.pluto');
  return world;
}

/** Replaces the text of the container and saves it. */
async function write({ session }: SessionWorld, source: string): Promise<void> {
  const before = await session.module('a.pluto');
  const span = { start: 0, end: before.module.text.length };
  const replaced = new Set(before.module.tree.items.filter(isItem).flatMap(({ id }) => id ?? []));
  const makeId = session.idsFor(before.path);
  await session.transact('write', signal, () => ({
    modules: [changedModule({ before, edits: [{ span, text: source }], replaced, makeId })],
  }));
  await session.save(signal);
}

/** The expected view: `source` with the lines that a view adds. */
function viewOf(generated: string, source: string): string {
  const hints = new Map(
    Array.from(generated.matchAll(/(\/\/ @uuid: .*\n)fn (\w+)/g), ([, hint, name]) => [name, hint]),
  );
  const origin = generated.slice(0, generated.indexOf('\n') + 1);
  return origin + source.replaceAll(/^fn (\w+)/gm, (code, name: string) => `${hints.get(name) ?? ''}${code}`);
}

const edit = (world: SessionWorld, from: string, to: string): void =>
  world.disk.set('a.pt', (world.disk.text('a.pt') ?? '').replace(from, to));

async function sync(world: SessionWorld, overrides: readonly ViewOverride[] = [], journal = new MemoryJournalStore()) {
  const keeper = createViewJournal(
    {
      journal,
      limits: () => ({ maxBytes: 1_000_000, maxDays: 30 }),
      random: sequentialRandom(),
      clock: new ManualClock(),
      log: memoryLog(),
    },
    'Copilot',
  );
  return syncView(world.session, { path: 'a.pt', overrides }, signal, keeper);
}

/** The text of both files, which must be equal. */
async function agreed(world: SessionWorld): Promise<string> {
  assert.equal((await sync(world)).status, 'already');
  return world.text('a.pluto');
}

test('merges comments that either side added between declarations', async () => {
  const world = await withView(text);
  edit(world, '// Middle.', '// Middle of the view.');
  await write(world, text.replace('// Foot.', '// Foot.\n\n// Below.').replace('two() {}', 'two() {\n    print(2)\n}'));
  const { status, comments } = await sync(world);
  assert.deepEqual([status, comments], ['synced', 3]);
  assert.equal(
    await agreed(world),
    '// Head.\n\nfn one() {} // behind\n\n// Middle of the view.\n\nfn two() {\n    print(2)\n}\n\n// Foot.\n\n// Below.\n',
  );
});

test('removes comments that one side deleted, and keeps both versions of a changed one', async () => {
  const world = await withView(text);
  edit(world, '// Head.\n\n', '');
  edit(world, '// Middle.', '// View.');
  await write(world, text.replace('// Middle.', '// Container.').replace('\n\n// Foot.', ''));
  await sync(world);
  assert.equal(await agreed(world), 'fn one() {} // behind\n\n// View.\n\n// Container.\n\nfn two() {}\n');
});

test('deletes no comment when the common version is unknown', async () => {
  const world = await withView(text);
  const origin = /^(\/\/ @generated-from: \w+ \w+) .*/;
  world.disk.set('a.pt', (world.disk.text('a.pt') ?? '').replace(origin, '$1').replace('// Head.', '// Top.'));
  await write(world, text.replace('\n\n// Foot.', ''));
  await sync(world);
  assert.equal(await agreed(world), `// Top.\n\n${text}`);
});

test('decides a trailing comment together with its declaration', async () => {
  const world = await withView(text);
  edit(world, '// behind', '// before');
  await write(world, text.replace('// behind', '// beside'));
  const { status, changes } = await sync(world);
  assert.deepEqual(
    [status, changes.map(({ name, after }) => `${name}: ${after}`)],
    ['unresolved', ['one: fn one() {} // before']],
  );
  await sync(world, [{ id: changes[0]?.id ?? '', take: 'pt', digest: changes[0]?.plutoDigest }]);
  assert.equal(await agreed(world), text.replace('// behind', '// before'));
});

test('records both files when only comments differ', async () => {
  const world = await withView(text);
  edit(world, '// Middle.\n', '');
  const journal = new MemoryJournalStore();
  assert.equal((await sync(world, [], journal)).status, 'synced');
  const [run] = await recordedRuns(journal, 10, new CountingSlice());
  assert.equal(run?.summary, 'Recorded a.pluto and a.pt before syncing comments.');
  assert.deepEqual(
    run?.changes.map(({ path, className }) => `${path} ${className}`),
    ['a.pluto module'],
  );
  const [diff] = await recordedDiffs(journal, () => undefined, run?.runId ?? '', new CountingSlice());
  assert.equal(diff?.path, 'a.pt');
  assert.equal(diff?.before.replace('// Middle.\n', ''), diff?.after);
});

interface Piece {
  /** `undefined`: only comments. */
  readonly name: string | undefined;
  readonly body: number;
  /** Comment lines above the declaration, or the comment itself. */
  readonly lines: readonly string[];
  readonly behind: string;
  /** Whether an empty line is above it. */
  readonly isParted: boolean;
}

const render = (pieces: readonly Piece[]): string =>
  pieces
    .map(({ name, body, lines, behind, isParted }, index) => {
      const code = name === undefined ? [] : [`fn ${name}() {`, `    print(${body})`, `}${behind}`];
      return `${index === 0 ? '' : isParted ? '\n\n' : '\n'}${[...lines, ...code].join('\n')}`;
    })
    .join('')
    .concat('\n');

const mark = fc.integer({ min: 0, max: 4 });
const linesBy = (who: string) =>
  fc.array(
    mark.map(number => `// ${who} ${number}`),
    { minLength: 1, maxLength: 2 },
  );
const behindBy = (who: string) =>
  fc.option(
    mark.map(number => ` // ${who} behind ${number}`),
    { nil: '' },
  );

const based: fc.Arbitrary<readonly Piece[]> = fc
  .array(
    fc.record({
      name: fc.constantFrom(undefined, 'a', 'b', 'c', 'd'),
      body: fc.constant(0),
      lines: fc.oneof(fc.constant([]), linesBy('base')),
      behind: behindBy('base'),
      isParted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .map(pieces =>
    pieces.filter(
      ({ name, lines }, index) =>
        (name !== undefined || lines.length > 0) &&
        (name === undefined || pieces.findIndex(other => other.name === name) === index),
    ),
  );

/** Random edits of one side: comments are added, removed and changed, declarations are changed. */
const editedBy = (who: string, pieces: readonly Piece[]): fc.Arbitrary<readonly Piece[]> =>
  fc
    .tuple(
      ...pieces.map(piece =>
        fc.tuple(
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(piece) },
            fc.record({
              name: fc.constant(piece.name),
              body: fc.constantFrom(piece.body, who.length),
              lines: fc.constantFrom(piece.lines, []).chain(same => fc.oneof(fc.constant(same), linesBy(who))),
              behind: fc.oneof(fc.constant(piece.behind), behindBy(who)),
              isParted: fc.boolean(),
            }),
          ),
          fc.option(linesBy(who), { nil: [], freq: 4 }),
        ),
      ),
    )
    .map(all =>
      all.flatMap(([piece, lines]) => [
        ...(lines.length === 0 ? [] : [{ name: undefined, body: 0, lines, behind: '', isParted: true }]),
        ...(piece.name === undefined && piece.lines.length === 0 ? [] : [piece]),
      ]),
    );

const commentsOf = (source: string): readonly string[] =>
  source.split('\n').flatMap(line => {
    const at = line.indexOf('//');
    return at < 0 || /@(?:uuid|generated-from)/.test(line) ? [] : [line.slice(at)];
  });

test('loses no comment of either side: it is in both files or in the journal', async () => {
  const cases = based.chain(base =>
    fc.record({
      base: fc.constant(base),
      view: editedBy('view', base),
      container: editedBy('container', base),
      isOld: fc.boolean(),
      take: fc.constantFrom('pt' as const, 'pluto' as const, 'skip' as const),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ base, view, container, isOld, take }) => {
      const world = await withView(render(base));
      const generated = world.disk.text('a.pt') ?? '';
      const said = viewOf(isOld ? generated.replace(/ [-.\w]+\n/, '\n') : generated, render(view));
      world.disk.set('a.pt', said);
      await write(world, render(container));
      const journal = new MemoryJournalStore();
      const first = await sync(world, [], journal);
      const overrides = first.changes.flatMap(one => (one.take === undefined ? [{ id: one.id, take }] : []));
      if (first.status === 'unresolved')
        assert.equal((await sync(world, overrides, journal)).status, 'synced', 'the overrides decide');
      const [pluto, pt] = [await world.text('a.pluto'), world.disk.text('a.pt') ?? ''];
      const kept = await recordedRuns(journal, 10, new CountingSlice());
      const blobs = await Promise.all(
        kept.map(({ runId }) => Promise.all(['module', 'view'].map(name => journal.readBlob(runId, name)))),
      );
      const there = [pluto, pt, ...blobs.flat().map(bytes => new TextDecoder().decode(bytes ?? new Uint8Array()))];
      const all = new Set(there.flatMap(commentsOf));
      const [ofView, ofContainer] = [commentsOf(said), commentsOf(render(container))];
      for (const line of [...ofView, ...ofContainer]) assert.ok(all.has(line), `${line} is nowhere`);
      // No declaration was decided: comments that are new, or that neither side removed, are in both files.
      if (first.changes.some(one => one.why === 'both' || one.take === undefined)) return;
      const count = (lines: readonly string[], sought: string): number => lines.filter(one => one === sought).length;
      const before = commentsOf(render(base));
      const isKept = (line: string): boolean =>
        [ofView, ofContainer].every(side => count(side, line) >= count(before, line));
      for (const line of [...ofView, ...ofContainer].filter(isKept)) {
        assert.ok(commentsOf(pluto).includes(line), `${line} is not in the .pluto:\n${pluto}`);
        assert.ok(commentsOf(pt).includes(line), `${line} is not in the .pt:\n${pt}`);
      }
      assert.equal(await agreed(world), pluto);
    }),
    { numRuns: 300 },
  );
});
