import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ScriptTexts } from '../../../../src/ports/script-merger.ts';
import { hasConflictMarkers } from '../../../../src/base/conflict-markers.ts';
import { mergeTexts } from '../../../../src/sync/merge/merge-texts.ts';

/** The edits of one side: for each line of the base what replaces it, and the lines after it. */
interface Edits {
  readonly replaced: ReadonlyMap<number, string | undefined>;
  readonly added: ReadonlyMap<number, readonly string[]>;
}

const LINE_COUNT = 12;

const edits = (side: string): fc.Arbitrary<Edits> =>
  fc
    .array(
      fc.record({
        line: fc.nat(LINE_COUNT - 1),
        kind: fc.constantFrom('remove' as const, 'replace' as const, 'add' as const),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      { maxLength: 4 },
    )
    .map(list => {
      const replaced = new Map<number, string | undefined>();
      const added = new Map<number, readonly string[]>();
      for (const [index, { line, kind, count }] of list.entries()) {
        if (kind === 'add')
          added.set(
            line,
            Array.from({ length: count }, (_, at) => `${side} added ${index} ${at}`),
          );
        else replaced.set(line, kind === 'remove' ? undefined : `${side} replaced ${index}`);
      }
      return { replaced, added };
    });

const base = Array.from({ length: LINE_COUNT }, (_, index) => `line ${index}`);
const join = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

const apply = ({ replaced, added }: Edits): readonly string[] =>
  base.flatMap((line, index) => {
    const kept = replaced.has(index) ? replaced.get(index) : line;
    return [...(kept === undefined ? [] : [kept]), ...(added.get(index) ?? [])];
  });

const swapped = ({ base: common, disk, studio }: ScriptTexts): ScriptTexts => ({
  base: common,
  disk: studio,
  studio: disk,
});

/** Texts of few different lines, which repeat. */
const anyText = fc
  .array(fc.constantFrom('end', '\tend', '', 'return x', 'local function f()', 'local x = 1', 'X = {', 'a = 1', '}'), {
    maxLength: 12,
  })
  .map(join);

test('keeps every line that one side alone touched exactly once when both sides edit', () => {
  fc.assert(
    fc.property(edits('disk'), edits('studio'), (onDisk, inStudio) => {
      const [disk, studio] = [apply(onDisk), apply(inStudio)];
      const { text, conflicts } = mergeTexts({ base: join(base), disk: join(disk), studio: join(studio) });
      const count = (line: string): number => text.split('\n').filter(one => one === line).length;
      const inConflict = (line: string): boolean =>
        conflicts.some(sides => [sides.base, sides.disk, sides.studio].some(part => part.split('\n').includes(line)));
      for (const line of new Set([...base, ...disk, ...studio])) {
        if (inConflict(line)) continue;
        const expected = base.includes(line) ? disk.includes(line) && studio.includes(line) : true;
        assert.equal(count(line), expected ? 1 : 0, `${line}\n---\n${text}`);
      }
    }),
    { numRuns: 2000 },
  );
});

test('gives the same text for both orders of the sides', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (common, disk, studio) => {
      const sides = { base: common, disk, studio };
      const [one, two] = [mergeTexts(sides), mergeTexts(swapped(sides))];
      assert.equal(one.conflicts.length, two.conflicts.length);
      if (one.conflicts.length === 0) assert.equal(one.text, two.text);
      else
        assert.deepEqual(
          two.conflicts.map(swapped),
          one.conflicts.map(({ base: both, disk: onDisk, studio: inStudio }) => ({
            base: both,
            disk: onDisk,
            studio: inStudio,
          })),
        );
    }),
    { numRuns: 2000 },
  );
});

test('takes the text of a side when the other side is equal or unchanged', () => {
  fc.assert(
    fc.property(anyText, anyText, (common, changed) => {
      const same = mergeTexts({ base: common, disk: changed, studio: changed });
      assert.deepEqual(same, { text: changed, conflicts: [] });
      assert.deepEqual(mergeTexts({ base: common, disk: common, studio: changed }), { text: changed, conflicts: [] });
      assert.deepEqual(mergeTexts({ base: common, disk: changed, studio: common }), { text: changed, conflicts: [] });
    }),
  );
});

test('keeps the end of the text that one side changed', () => {
  assert.equal(mergeTexts({ base: 'a\nb', disk: 'a\nb\n', studio: 'a\nb' }).text, 'a\nb\n');
  assert.equal(mergeTexts({ base: 'a\nb\n', disk: 'x\na\nb\n', studio: 'a\nb' }).text, 'x\na\nb');
});

test('ignores CR LF when it compares lines', () => {
  const merged = mergeTexts({ base: 'a\nb\nc\n', disk: 'x\r\nb\r\nc\r\n', studio: 'a\nb\ny\n' });
  assert.deepEqual(merged, { text: 'x\nb\ny\n', conflicts: [] });
});

const script = (...lines: readonly string[]): string => join(lines);

test('merges functions that both sides add at one place', () => {
  const common = script('local Pets = {}', '', 'return Pets');
  const disk = script('local Pets = {}', '', 'function Pets.feed()', 'end', '', 'return Pets');
  const studio = script('local Pets = {}', '', '-- Walks.', 'function Pets.walk()', 'end', '', 'return Pets');
  const { text, conflicts } = mergeTexts({ base: common, disk, studio });
  assert.deepEqual(conflicts, []);
  for (const part of ['function Pets.feed()\nend\n', '-- Walks.\nfunction Pets.walk()\nend\n'])
    assert.ok(text.includes(part), text);
  assert.ok(text.endsWith('return Pets\n'));
});

test('merges entries that both sides add to one table, whether or not the last one has a comma', () => {
  const common = script('return {', '\tspeed = 1', '}');
  const disk = script('return {', '\tspeed = 1,', '\thealth = 2', '}');
  const studio = script('return {', '\tspeed = 1,', '\t["name"] = "Rex", -- of the dog', '}');
  const { text, conflicts } = mergeTexts({ base: common, disk, studio });
  assert.deepEqual(conflicts, []);
  assert.equal(text, script('return {', '\tspeed = 1,', '\t["name"] = "Rex", -- of the dog', '\thealth = 2,', '}'));
});

test('merges fields that both sides add to one type', () => {
  const common = script('export type Pet = {', '\tname: string,', '}');
  const { text, conflicts } = mergeTexts({
    base: common,
    disk: script('export type Pet = {', '\tname: string,', '\tage: number,', '}'),
    studio: script('export type Pet = {', '\tname: string,', '\towner: Player?,', '}'),
  });
  assert.deepEqual(conflicts, []);
  assert.equal(text, script('export type Pet = {', '\tname: string,', '\tage: number,', '\towner: Player?,', '}'));
});

test('merges adjacent assignments that the sides change', () => {
  const common = script('local speed = 1', 'local health = 2', 'Pets.count = 0');
  const disk = script('local speed = 10', 'local health = 2', 'Pets.count = 5');
  const studio = script('local speed = 1', 'local health = 20', 'Pets.count = 0');
  assert.deepEqual(mergeTexts({ base: common, disk, studio }), {
    text: script('local speed = 10', 'local health = 20', 'Pets.count = 5'),
    conflicts: [],
  });
});

const conflicting = {
  base: script('local speed = 1', 'return speed'),
  disk: script('local speed = 2', 'return speed'),
  studio: script('local speed = 3', 'return speed'),
};

test('reports one conflict with all three texts when both sides change one line', () => {
  const { text, conflicts } = mergeTexts(conflicting);
  assert.deepEqual(conflicts, [
    { line: 1, base: 'local speed = 1\n', disk: 'local speed = 2\n', studio: 'local speed = 3\n' },
  ]);
  assert.ok(hasConflictMarkers(text));
  assert.equal(text.split('\n').filter(line => /^--[<|=>]{7}/.test(line)).length, 4);
});

test('leaves a conflict when one side removes a function that the other side changes', () => {
  const common = script('local function a()', '\treturn 1', 'end', '', 'return 1');
  const { conflicts } = mergeTexts({
    base: common,
    disk: 'return 1\n',
    studio: common.replace('return 1', 'return 2'),
  });
  assert.equal(conflicts.length, 1);
});

test('leaves a conflict when both sides add statements whose order has a meaning', () => {
  const common = script('start()', '', 'stop()');
  const { conflicts } = mergeTexts({
    base: common,
    disk: script('start()', 'load()', '', 'stop()'),
    studio: script('start()', 'check()', '', 'stop()'),
  });
  assert.equal(conflicts.length, 1);
});

const pets = ['local Pets = {', '\ta = 1,', '\tb = 2,', '}', '', 'function Pets.walk()', 'end', '', 'return Pets'];
const petsWith = (at: number, ...added: readonly string[]): string => script(...pets.toSpliced(at, 0, ...added));
const clamp = ['local function clamp(x)', '\treturn x', 'end', ''];

test('leaves a conflict when both sides declare one name at different places', () => {
  const added = {
    'the same function': [petsWith(0, ...clamp), petsWith(8, ...clamp)],
    'two functions of one name': [petsWith(0, ...clamp), petsWith(8, 'local function clamp()', 'end', '')],
    'a function that both move': [
      script(...pets.slice(5, 8), ...pets.toSpliced(5, 3)),
      script(...pets.toSpliced(5, 3), ...pets.slice(5, 8)),
    ],
    'two entries of one name': [petsWith(1, '\tspeed = 1,'), petsWith(3, '\tspeed = 2,')],
  };
  for (const [name, [disk = '', studio = '']] of Object.entries(added)) {
    const merged = mergeTexts({ base: script(...pets), disk, studio });
    assert.equal(merged.conflicts.length, 1, name);
    const [conflict] = merged.conflicts;
    // Whichever side a person chooses, the result is the text of that side.
    for (const side of ['disk', 'studio'] as const) {
      const chosen = merged.text.replace(/--<{7} Studio\n[^]*-->{7} Disk\n/, () => conflict?.[side] ?? '');
      assert.equal(chosen, { disk, studio }[side], name);
    }
  }
});

test('merges declarations of one name when a side has both', () => {
  const common = script('local _ = a()', 'x = 1', '', 'y = 2', '', 'z = 3');
  const disk = script('local _ = b()', 'local _ = a()', 'x = 1', 'x = 2', '', 'y = 2', '', 'z = 3');
  const studio = script('local _ = a()', 'x = 1', '', 'y = 2', '', 'z = 3', 'local _ = c()');
  const { text, conflicts } = mergeTexts({ base: common, disk, studio });
  assert.deepEqual(conflicts, []);
  assert.equal(text, `${disk}local _ = c()\n`);
});

test('finds conflict markers of git and of this project, and no others', () => {
  assert.ok(hasConflictMarkers('<<<<<<< Studio\na\n=======\nb\n>>>>>>> Disk\n'));
  assert.ok(!hasConflictMarkers('-- <<<<<<<<<<<<<\nlocal a = "<<<<<<<"\n'));
});
