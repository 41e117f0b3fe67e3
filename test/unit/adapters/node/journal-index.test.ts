import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EntryRow, EntryTable } from '../../../../src/adapters/node/journal/entry-table.ts';
import { keyOf, RowTable } from '../../../../src/adapters/node/journal/row-table.ts';
import { usedHeap } from '../../../harness/used-heap.ts';

test('finds every row of a table by its key, like a map', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(300), fc.nat(), fc.integer({ min: 0, max: 2 ** 32 - 1 })), {
        maxLength: 600,
        size: 'max',
      }),
      puts => {
        const table = new RowTable(2);
        const expected = new Map<number, readonly number[]>();
        for (const [id, a, b] of puts) {
          const key = keyOf(`key ${id}`);
          table.put(key, a, b);
          expected.set(key, [a, b]);
        }
        assert.equal(table.size, expected.size);
        for (const [row, [key, values]] of Array.from(expected).entries()) {
          assert.equal(table.find(key), row);
          assert.deepEqual([table.keyAt(row), table.at(row, 0), table.at(row, 1)], [key, ...values]);
        }
        assert.equal(table.find(keyOf('another')), undefined);
      },
    ),
    { numRuns: 50 },
  );
});

/** The same index with objects. */
class PlainTable {
  entries: (EntryRow & { readonly id: string; readonly run: string })[] = [];
  add(id: string, run: string, place: Pick<EntryRow, 'number' | 'offset' | 'start'>): void {
    this.entries.push({ id, run, ...place, notes: [], ending: undefined });
  }
  addPart(kind: 'note' | 'ending', id: string, place: { readonly number: number; readonly offset: number }): void {
    this.entries = this.entries.map(entry => {
      if (entry.id !== id) return entry;
      return kind === 'ending' ? { ...entry, ending: place } : { ...entry, notes: [...entry.notes, place] };
    });
  }
  keepSegments(numbers: ReadonlySet<number>): void {
    this.entries = this.entries.filter(({ number }) => numbers.has(number));
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('entry' as const), run: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('note' as const, 'ending' as const), of: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prune' as const), from: fc.nat(4) }) },
);

test('keeps entries, their notes, endings and runs through any changes and removals', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), steps => {
      const [table, plain] = [new EntryTable(), new PlainTable()];
      for (const [offset, one] of steps.entries()) {
        const number = Math.floor(offset / 10);
        if (one.kind === 'entry') {
          for (const each of [table, plain])
            each.add(`id ${offset}`, `run ${one.run}`, { number, offset, start: offset });
        } else if (one.kind === 'prune') {
          const numbers = new Set(Array.from({ length: 20 }, (_, n) => n).filter(n => n >= one.from));
          for (const each of [table, plain]) each.keepSegments(numbers);
        } else for (const each of [table, plain]) each.addPart(one.kind, `id ${one.of}`, { number, offset });
      }
      const expected = plain.entries.toReversed();
      const rowsOf = (entries: typeof expected): readonly EntryRow[] =>
        entries.map(({ id: _id, run: _run, ...row }) => row);
      assert.deepEqual(Array.from(table.entries()), rowsOf(expected));
      for (let run = 0; run <= 5; run += 1) {
        const own = expected.filter(entry => entry.run === `run ${run}`);
        assert.deepEqual(Array.from(table.entriesOf(`run ${run}`)), rowsOf(own));
      }
      for (const { id } of expected) assert.ok(table.has(id));
      const open = expected.filter(({ ending }) => ending === undefined).map(({ number }) => number);
      assert.deepEqual(table.openSegments(), new Set(open.toReversed()));
    }),
    { numRuns: 100 },
  );
});

test('uses at most 200 bytes per entry with a note and an ending', async () => {
  const memory = async (): Promise<number> => (await usedHeap()) + process.memoryUsage().external;
  const before = await memory();
  const table = new EntryTable();
  const count = 20_000;
  for (let at = 0; at < count; at += 1) {
    table.add(`id ${at}`, `run ${at}`, { number: 1, offset: at, start: at });
    table.addPart('note', `id ${at}`, { number: 1, offset: at });
    table.addPart('ending', `id ${at}`, { number: 1, offset: at });
  }
  const each = ((await memory()) - before) / count;
  assert.ok(each <= 200, `${each} bytes`);
  assert.ok(table.has('id 7'));
});
