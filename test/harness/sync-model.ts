import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { recoverInterrupted } from '../../src/sync/recover/recover-interrupted.ts';
import type { SyncRun } from '../../src/sync/sync-engine.ts';
import type { ReviewControl } from '../../src/ports/review-surface.ts';
import { JournalRecord } from '../../src/protocol/journal/journal-record.ts';
import type { StudioInstance } from '../../src/protocol/studio/stream.ts';
import type { Choice, Direction, SyncMode, SyncOverride } from '../../src/protocol/sync-request.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { gitBlob } from './fake-studio.ts';
import { MemoryBaseStore } from './memory-base-store.ts';
import { MemoryJournalStore } from './memory-journal-store.ts';
import { memoryLog } from './memory-log.ts';
import { sequentialRandom } from './sequential-random.ts';
import { settle } from './settle.ts';
import { syncWorld, type SyncWorld } from './sync-world.ts';

const names = ['a', 'b', 'c'];
const fileOf = (name: string): string => `src/${name}.luau`;
const pathOf = (name: string): string => `ServerScriptService/${name}`;

type Edit = { readonly side: 'disk' | 'Studio'; readonly name: string; readonly remove: boolean };
interface OverrideRequest {
  readonly direction: Direction;
  readonly hash: 'right' | 'wrong' | 'none';
}
/** How a person answers a review: merges, choices, and edits that happen before Apply. */
interface Review {
  readonly merges: boolean;
  readonly choices: readonly Choice[];
  readonly meanwhile: readonly Edit[];
  readonly apply: boolean;
}
export type Step =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | {
      readonly kind: 'sync';
      readonly mode: SyncMode;
      readonly requests: readonly (OverrideRequest | undefined)[];
      readonly review: Review;
    }
  | { readonly kind: 'cancel'; readonly turns: number }
  /** `meanwhile`: edits on disk before the next start. */
  | {
      readonly kind: 'crash';
      readonly direction: Direction;
      readonly write: number;
      readonly meanwhile: readonly Edit[];
      /** Whether the crash damages the record of the run. */
      readonly damages: boolean;
    }
  | { readonly kind: 'race'; readonly direction: Direction; readonly edit: Edit }
  | { readonly kind: 'restore'; readonly side: 'disk' | 'studio' }
  /** `at`: the write or message at which it happens. */
  | { readonly kind: 'fault'; readonly what: Fault; readonly direction: Direction; readonly at: number };
/** `fullDisk` and `fullJournal`: nothing more can be written. The others damage a text on its way, or stored state. */
type Fault = 'fullDisk' | 'fullJournal' | 'cutLink' | 'damagedText' | 'damagedBases' | 'damagedRecord';

const edit: fc.Arbitrary<Edit> = fc.record({
  side: fc.constantFrom('disk', 'Studio'),
  name: fc.constantFrom(...names),
  remove: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
});
const direction = fc.constantFrom<Direction>('push', 'pull');
const request = fc.option(fc.record({ direction, hash: fc.constantFrom('right', 'wrong', 'none') }), {
  nil: undefined,
});
const review: fc.Arbitrary<Review> = fc.record({
  merges: fc.boolean(),
  choices: fc.array(fc.constantFrom<Choice>('push', 'pull', 'skip'), { minLength: 3, maxLength: 3 }),
  meanwhile: fc.array(edit, { maxLength: 1 }),
  apply: fc.boolean(),
});
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), edit }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      mode: fc.constantFrom<SyncMode>('standard', 'manual', 'fastfail', 'dryrun'),
      requests: fc.array(request, { minLength: 3, maxLength: 3 }),
      review,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), turns: fc.integer({ min: 0, max: 25 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      direction,
      write: fc.integer({ min: 0, max: 4 }),
      meanwhile: fc.array(edit, { maxLength: 2 }),
      damages: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('race' as const), direction, edit }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restore' as const),
      side: fc.constantFrom('disk' as const, 'studio' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      what: fc.constantFrom<Fault>(
        'fullDisk',
        'fullJournal',
        'cutLink',
        'damagedText',
        'damagedBases',
        'damagedRecord',
      ),
      direction,
      at: fc.integer({ min: 1, max: 12 }),
    }),
  },
);

/** A small project, its people and agents, and the texts that must not be lost. */
class SyncModel {
  readonly journal = new MemoryJournalStore();
  readonly bases = new MemoryBaseStore();
  readonly random = sequentialRandom();
  /** Every text that a person wrote, and that only the bridge may have replaced or removed since. */
  readonly owed = new Set<string>();
  world!: SyncWorld;
  #person: (review: ReviewControl) => void = () => undefined;
  #texts = 0;

  async begin(files: Readonly<Record<string, string | Uint8Array>> = {}, place = {}): Promise<void> {
    this.world = await syncWorld({
      git: 'none',
      files,
      place,
      journalStore: this.journal,
      bases: this.bases,
      random: this.random,
      person: shown => this.#person(shown),
    });
  }

  edit({ side, name, remove }: Edit): void {
    const text = `return ${(this.#texts += 1)}\n`;
    const { files, studio } = this.world;
    const before = side === 'disk' ? files.text(fileOf(name)) : studio.source(pathOf(name));
    // A person who replaces or removes a text on its side has seen it.
    if (before !== undefined) this.owed.delete(before);
    if (side === 'disk') {
      if (!remove) files.set(fileOf(name), text);
      else if (before !== undefined) files.delete(fileOf(name));
    } else if (remove) studio.place.delete(pathOf(name));
    else studio.place.set(pathOf(name), { className: 'ModuleScript', source: text, properties: {} });
    if (!remove) this.owed.add(text);
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'edit':
        return this.edit(one.edit);
      case 'sync':
        return await this.#sync(one.mode, one.requests, one.review);
      case 'cancel':
        return await this.#cancel(one.turns);
      case 'crash':
        return await this.#crash(one);
      case 'race':
        return await this.#race(one.direction, one.edit);
      case 'restore':
        return await this.#restore(one.side);
      case 'fault':
        return await this.#fault(one.what, one.direction, one.at);
    }
  }

  async #sync(mode: SyncMode, requests: readonly (OverrideRequest | undefined)[], how: Review): Promise<void> {
    const overrides = await this.#overrides(requests);
    let merged: { readonly id: string; readonly text: string } | undefined;
    const answer = async (shown: ReviewControl): Promise<void> => {
      for (const [index, row] of shown.snapshot().rows.entries())
        shown.choose([row.id], how.choices[index % 3] ?? 'skip');
      if (how.merges) merged = await this.#merge(shown);
      for (const moved of how.meanwhile) this.edit(moved);
      const { revision } = shown.snapshot();
      if (how.apply) shown.apply(revision);
      else shown.reject(revision);
    };
    this.#person = shown => void answer(shown);
    const result = await this.world.sync({ mode, overrides });
    // Until Apply has written it, a merge is a choice that the person can still give up.
    if (result.changes.some(({ id, outcome }) => id === merged?.id && outcome === 'merged'))
      this.owed.add(merged?.text ?? '');
    this.#checkOverrides(overrides, result, mode);
    this.#checkTruth(result);
  }

  /** Merges the first edit by hand. */
  async #merge(shown: ReviewControl): Promise<{ readonly id: string; readonly text: string } | undefined> {
    const row = shown.snapshot().rows.find(({ patchType }) => patchType === 'Edit');
    if (row === undefined) return undefined;
    await shown.texts(row.id);
    const text = `return ${(this.#texts += 1)} -- merged\n`;
    await shown.merge(row.id, text);
    return { id: row.id, text };
  }

  async #overrides(requests: readonly (OverrideRequest | undefined)[]): Promise<SyncOverride[]> {
    const { changes } = await this.world.sync({ mode: 'dryrun' });
    return changes.flatMap(({ id, studioHash }, index): SyncOverride[] => {
      const made = requests[index % 3];
      if (made === undefined) return [];
      const hash = made.hash === 'right' ? studioHash : made.hash === 'wrong' ? gitBlob('nothing') : undefined;
      return [{ id, direction: made.direction, ...(hash === undefined ? {} : { studioHash: hash }) }];
    });
  }

  async #everything(way: Direction): Promise<SyncOverride[]> {
    return await this.#overrides([0, 1, 2].map(() => ({ direction: way, hash: 'none' })));
  }

  /** Cancels at any moment. Before the first write, this leaves both sides unchanged. */
  async #cancel(turns: number): Promise<void> {
    this.#person = () => undefined;
    const overrides = await this.#everything('push');
    const before = this.#sides();
    const run = this.world.engine.start({ mode: 'manual', overrides, requestedBy: 'test' });
    await settle(turns);
    run.cancel();
    const result = await run.result;
    if (result.status === 'cancelled') assert.deepEqual(this.#sides(), before);
    else assert.equal(result.status, 'empty');
  }

  /** Ends the process at a write, or while Studio applies; the next process recovers the run. */
  async #crash({ direction: way, write, meanwhile, damages }: Step & { kind: 'crash' }): Promise<void> {
    this.#person = shown => shown.apply(shown.snapshot().revision);
    const overrides = await this.#everything(way);
    const { files, studio } = this.world;
    files.fault = n => (write > 0 && n >= write ? new Promise<void>(() => undefined) : undefined);
    if (write === 0) studio.stalled.add('apply');
    const run: SyncRun = this.world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
    await settle();
    files.fault = undefined;
    this.journal.crash();
    for (const moved of meanwhile) if (moved.side === 'disk') this.edit(moved);
    const place = Object.fromEntries(studio.place);
    const wasRecorded = (await this.journal.find(run.runId)) !== undefined;
    if (damages && wasRecorded) await this.#damageRecord();
    await this.begin(files.copy(), place);
    const { files: disk, clock } = this.world;
    const before = disk.copy();
    const found = await recoverInterrupted({
      files: disk,
      journal: this.journal,
      hasher: nodeHasher,
      clock,
      log: memoryLog(),
    });
    const wasApplying = wasRecorded && run.latest() === undefined;
    assert.equal(found.length, wasApplying ? 1 : 0);
    if (damages && wasRecorded) assert.deepEqual(disk.copy(), before, 'a damaged record changes nothing');
    assert.deepEqual(await this.journal.unfinished(), []);
  }

  /** Edits a side while Studio applies. */
  async #race(way: Direction, moved: Edit): Promise<void> {
    this.#person = shown => shown.apply(shown.snapshot().revision);
    const overrides = await this.#everything(way);
    const before = new Map(names.map(name => [pathOf(name), this.world.files.text(fileOf(name))]));
    this.world.studio.before = command => {
      if (command.type !== 'apply') return;
      this.world.studio.before = () => undefined;
      this.edit(moved);
    };
    const { changes } = await this.world.sync({ overrides });
    this.world.studio.before = () => undefined;
    for (const { outcome, path } of changes) {
      if (outcome === 'applied')
        assert.equal(this.world.studio.source(path), before.get(path), `${path} was not pushed`);
      if (outcome !== 'written') continue;
      const name = path.split('/').at(-1) ?? '';
      assert.equal(this.world.files.text(fileOf(name)), this.world.studio.source(path), `${path} was not pulled`);
    }
  }

  /** Something fails during a sync; afterwards everything works again. */
  async #fault(what: Fault, way: Direction, at: number): Promise<void> {
    if (what === 'damagedRecord') return await this.#damageRecord();
    if (what === 'damagedBases') return this.bases.forget();
    this.#person = shown => shown.apply(shown.snapshot().revision);
    const overrides = await this.#everything(way);
    const { files, studio, link } = this.world;
    const before = this.#sides();
    this.journal.failing = what === 'fullJournal';
    if (what === 'fullDisk') files.fault = write => (write >= at ? Promise.reject(fullDisk()) : undefined);
    if (what === 'cutLink') link.cutAt = link.passed.length + at;
    if (what === 'damagedText') link.damage = damageText;
    const result = await this.world.sync({ overrides });
    files.fault = undefined;
    this.journal.failing = false;
    link.damage = text => text;
    this.#checkTruth(result);
    if (what === 'fullJournal') assert.deepEqual(this.#sides(), before, 'nothing changes without a record');
    if (what === 'cutLink') await this.begin(files.copy(), Object.fromEntries(studio.place));
  }

  /** Damages the newest record. What only that record had is lost by the damage, not by a sync. */
  async #damageRecord(): Promise<void> {
    this.journal.damageNewest();
    const kept = await this.#keptTexts();
    for (const text of this.owed) if (!kept.has(text)) this.owed.delete(text);
  }

  async #restore(side: 'disk' | 'studio'): Promise<void> {
    this.#person = shown => shown.apply(shown.snapshot().revision);
    const [newest] = await this.world.engine.history(1);
    if (newest === undefined) return;
    const result = await this.world.sync({ restore: { runId: newest.runId, side } });
    assert.ok(['success', 'empty', 'error'].includes(result.status), result.summary);
    if (result.status === 'error') assert.match(result.summary, /no record of Studio|cannot be read/);
  }

  /** Checks that each override has a verdict, and that a rejected one decides nothing. */
  #checkOverrides(overrides: readonly SyncOverride[], result: SyncResult, mode: SyncMode): void {
    for (const { id, verdict } of result.overrides) {
      const isWrong = overrides.find(one => one.id === id)?.studioHash === gitBlob('nothing');
      const hasText = result.changes.some(change => change.id === id && change.studioHash !== undefined);
      if (isWrong && hasText) assert.notEqual(verdict, 'accepted');
    }
    if (!['success', 'partial', 'dryrun', 'rejected', 'fastfail_unresolved'].includes(result.status)) return;
    assert.deepEqual(new Set(result.overrides.map(({ id }) => id)), new Set(overrides.map(({ id }) => id)));
    if (mode !== 'fastfail' && mode !== 'dryrun') return;
    for (const { id, verdict, direction: asked } of result.overrides) {
      const change = result.changes.find(one => one.id === id);
      if (change === undefined || change.reason?.includes('parent') === true) continue;
      assert.equal(change.direction, verdict === 'accepted' ? asked : 'unresolved');
    }
  }

  /** Checks that each reported outcome is true on both sides. */
  #checkTruth(result: SyncResult): void {
    for (const { outcome, path } of result.changes) {
      if (outcome !== 'applied' && outcome !== 'written') continue;
      const name = path.split('/').at(-1) ?? '';
      assert.equal(
        this.world.files.text(fileOf(name)),
        this.world.studio.source(path),
        `${path} was reported as ${outcome}`,
      );
    }
    if (result.status === 'success') assert.ok(result.changes.every(({ outcome }) => outcome !== 'failed'));
  }

  #sides(): unknown {
    return [this.world.files.copy(), Array.from(this.world.studio.place)];
  }

  async checkNothingLost(): Promise<void> {
    const kept = await this.#keptTexts();
    for (const text of this.owed) assert.ok(kept.has(text), `${JSON.stringify(text)} is lost`);
  }

  /** The texts on both sides and in the journal. */
  async #keptTexts(): Promise<ReadonlySet<string>> {
    const kept = new Set<string>();
    for (const name of names) {
      kept.add(this.world.files.text(fileOf(name)) ?? '');
      kept.add(this.world.studio.source(pathOf(name)) ?? '');
    }
    for (const { runId, record, damage } of await this.journal.list()) {
      if (damage !== undefined) continue;
      const { items } = JournalRecord.parse(record);
      for (const item of items) {
        if (item.studio !== null) for (const text of sourcesOf(item.studio)) kept.add(text);
        for (const { blob } of item.files)
          if (blob !== null) kept.add(new TextDecoder().decode(await this.journal.readBlob(runId, blob)));
      }
    }
    return kept;
  }
}

const fullDisk = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
/** Flips a letter of each text that Studio sends. */
const damageText = (frame: string): string =>
  frame.includes('"type":"instances"') ? frame.replaceAll('"source":"return', '"source":"retvrn') : frame;

const sourcesOf = (studio: StudioInstance): string[] => [studio.source ?? '', ...studio.children.flatMap(sourcesOf)];

/** Takes the steps, and checks after each that no text is lost. @throws AssertionError */
export async function takeAll(steps: readonly Step[]): Promise<void> {
  const model = new SyncModel();
  await model.begin();
  for (const one of steps) {
    await model.take(one);
    await model.checkNothingLost();
    assert.equal(model.world.engine.current(), undefined);
  }
}
