import { recordEnding } from '../write/record-ending.ts';
import { isScriptClass } from '../../protocol/script-class.ts';
import { namedPath } from '../../protocol/path-name.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { plural } from '../../base/plural.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { journalLimitsOf, type Settings } from '../../ports/settings.ts';
import type { JournalEnding, JournalItem } from '../../protocol/journal/journal-record.ts';
import { toJournalEntry } from '../../protocol/journal/changes-outside-run.ts';
import { type Reason, reasonOf, reasonText, toReason } from '../../protocol/reason.ts';
import type { InstanceUpdate, PatchMessage } from '../../protocol/studio/messages.ts';
import type { PropertyChange } from '../../protocol/sync-result.ts';
import type { AppliedItem, StudioInstance } from '../../protocol/studio/stream.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { renderInstance } from '../../project/session/read-response.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantToWire } from '../../roblox/values/variant-wire.ts';
import type { KnownInstances } from '../feed/patch-message.ts';
import type { PartNames } from './changes-from-studio.ts';
import type { AgreedPart } from './live-base.ts';

export interface PushJournalDeps {
  readonly journal: Pick<JournalStore, 'append' | 'finish' | 'prune'>;
  readonly settings: Settings;
  readonly session: Pick<ProjectSession, 'get' | 'rootId' | 'fsPathOf'>;
  /** The name of the place that Studio has open. */
  readonly place: string;
  readonly reflection: Reflection;
  readonly files: FileSystem;
  readonly hasher: Hasher;
  readonly random: Pick<Random, 'uuid'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Pruning after each record would delay the next one. */
const RECORDS_PER_PRUNE = 100;

/** The state in Studio that a message replaces. */
export interface Replaced {
  /** Instances as the project knows them. */
  readonly known: KnownInstances;
  /** Removed instances as Studio has them, by id: also what no file names. Those of older plugins are missing. */
  readonly removed: ReadonlyMap<string, StudioInstance>;
  /** The new states of changed instances, as the message has them: the tree may have changed again. */
  readonly sent: ReadonlyMap<string, Pick<AgreedPart, 'instance'>>;
}

/** The answer of Studio to a message; `undefined` if there was none, `unsent` if the message was not sent. */
type PushResults = readonly AppliedItem[] | undefined | 'unsent';

/** Completes the record of a message. */
export type CompletePush = (results: PushResults) => void;

/** An item without its files. `text`: the new text of a script. */
interface Pushed {
  readonly item: Omit<JournalItem, 'files'>;
  readonly text?: string | undefined;
}

/** Records in the journal what a live session replaces in Studio, before it sends the message. */
export class PushJournal {
  readonly #deps: PushJournalDeps;
  #recorded = 0;

  constructor(deps: PushJournalDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once one entry for the message is on disk. Studio applies a change only if it still has the state in `replaced`, so that is
   * what it loses.
   *
   * @param inStudio the parts of a changed instance that Studio has already in their present state
   * @throws AppError STATE_NOT_WRITABLE; then nothing may be sent
   */
  async record(message: PatchMessage, replaced: Replaced, inStudio: (id: Ref) => PartNames): Promise<CompletePush> {
    const { clock, hasher, journal, random, place, settings, log } = this.#deps;
    const slice = new TimeSlice(clock);
    const pushed = await runInSlices(pushedChanges(message, replaced, inStudio, this.#deps), slice);
    if (pushed.length === 0) return () => undefined;
    const blobs = new Map<string, Uint8Array>();
    const items: JournalItem[] = [];
    for (const one of pushed) {
      await slice.yieldToEventLoop();
      const { fsPath } = one.item;
      const bytes = fsPath === null ? undefined : await this.#newContent(one);
      const blob = bytes && hasher.gitBlob(bytes);
      if (bytes !== undefined && blob !== undefined) blobs.set(blob, bytes);
      items.push({ ...one.item, files: fsPath === null || blob === undefined ? [] : [{ path: fsPath, blob }] });
    }
    const runId = random.uuid();
    const entry = { runId, at: clock.date(), requestedBy: 'Live Sync', place, items, summary: summaryOf(items) };
    const { record, ending } = toJournalEntry(entry);
    // No file is written, so the files of the items are not a side that can be restored.
    await journal.append(runId, { ...record, writes: [] }, blobs, ending);
    return results => {
      const complete = async (): Promise<void> => {
        const outcomes = outcomesOf(items, results);
        if (outcomes.length > 0)
          await recordEnding(journal, runId, {
            ...ending,
            outcomes,
            summary: endOf(items, outcomes, results === 'unsent'),
          });
        this.#recorded += 1;
        if (this.#recorded % RECORDS_PER_PRUNE === 0) await journal.prune(journalLimitsOf(settings));
      };
      complete().catch((error: unknown) => log.error('failed to complete a record of Live Sync', error, { runId }));
    };
  }

  async #newContent({ item: { fsPath, patchType }, text }: Pushed): Promise<Uint8Array | undefined> {
    if (text !== undefined) return new TextEncoder().encode(text);
    const { files } = this.#deps;
    const path = fsPath as ProjectPath;
    return patchType === 'Add' && (await files.stat(path))?.kind === 'file' ? await files.read(path) : undefined;
  }
}

/** The changes that a message makes in Studio; of a created or removed subtree the topmost instance. */
function* pushedChanges(
  message: PatchMessage,
  { known, removed, sent }: Replaced,
  inStudio: (id: Ref) => PartNames,
  { session, reflection }: PushJournalDeps,
): PausableWork<readonly Pushed[]> {
  const pushed: Pushed[] = [];
  const sentOf = (id: string): Instance | undefined => sent.get(id)?.instance;
  /** The instance as it is now, or as it was before the message removes it. */
  const find = (id: Ref): Instance | undefined => sentOf(id) ?? session.get(id) ?? known.get(id);
  const position = ({ parent, name }: Instance): Pick<JournalItem, 'path' | 'name' | 'parents'> => {
    const parents: { readonly name: string; readonly className: string }[] = [];
    for (let at = find(parent); at !== undefined && at.id !== session.rootId; at = find(at.parent))
      parents.unshift({ name: at.name, className: at.className });
    const path = [...parents.map(one => one.name), name].join('/');
    return { ...namedPath(path, name), parents };
  };
  for (const id of message.removed) {
    yield;
    const before = known.get(id as Ref);
    if (before === undefined || inStudio(before.id) === 'all') continue;
    const { className } = before;
    const studio = removed.get(id) ?? (yield* subtreeOf(before, known));
    pushed.push({
      item: { id, ...position(before), className, patchType: 'Remove', choice: 'push', fsPath: null, studio },
    });
  }
  for (const id of Object.keys(message.added)) {
    yield;
    const now = sentOf(id);
    // A project that syncs scripts only sends ancestors too, which Studio has.
    const isNew = (ref: Ref): boolean => known.has(ref) && known.get(ref) === undefined;
    if (now === undefined || !isNew(now.id) || isNew(now.parent) || inStudio(now.id) === 'all') continue;
    const { className } = now;
    const fsPath = session.fsPathOf(now.id);
    pushed.push({
      item: { id, ...position(now), className, patchType: 'Add', choice: 'push', fsPath, studio: null },
      text: textOf(now),
    });
  }
  for (const update of message.updated) {
    yield;
    const former = known.get(update.id as Ref);
    const now = sentOf(update.id);
    if (former === undefined || now === undefined) continue;
    const inTree = session.get(now.id);
    const parts = inStudio(now.id);
    // The message may replace parts of a later state of the tree that Studio has.
    const isSame = inTree === now;
    if (isSame && parts === 'all') continue;
    const names = parts === 'all' ? [] : parts;
    const before = withParts(former, inTree ?? former, names);
    const { id, className } = before;
    const properties = changedProperties(update, before, isSame ? names : [], reflection);
    if (names.length > 0 && Object.keys(properties).length === 0 && textOf(before) === textOf(now)) continue;
    const old = Object.entries(properties).flatMap(([name, { current }]) =>
      name === 'Name' || current === undefined ? [] : [[name, current] as const],
    );
    const source = textOf(before);
    const studio: StudioInstance = {
      id,
      name: before.name,
      className,
      ...(source === undefined ? {} : { source }),
      properties: Object.fromEntries(old),
      children: [],
    };
    const fsPath = session.fsPathOf(id);
    pushed.push({
      item: { id, ...position(now), className, patchType: 'Edit', choice: 'push', fsPath, studio, properties },
      text: textOf(now),
    });
  }
  return pushed;
}

const textOf = ({ className, properties }: Instance): string | undefined => {
  const source = isScriptClass(className) ? properties.get('Source') : undefined;
  return source?.type === 'String' ? source.value : undefined;
};

/** The instance as it was, with the parts `names` as they are now. */
function withParts(before: Instance, now: Instance, names: readonly string[]): Instance {
  if (names.length === 0) return before;
  const properties = new Map(before.properties);
  for (const name of names) {
    const value = now.properties.get(name);
    if (value !== undefined) properties.set(name, value);
  }
  return { ...before, name: names.includes('Name') ? now.name : before.name, properties };
}

/** The properties that a message changes besides `names` and the text of a script, with the values of both sides. */
function changedProperties(
  { changedName, changedProperties: changed }: InstanceUpdate,
  before: Instance,
  names: readonly string[],
  reflection: Reflection,
): Readonly<Record<string, PropertyChange>> {
  const isScript = isScriptClass(before.className);
  const values = Object.entries(changed).flatMap(([name, incoming]) => {
    if ((isScript && name === 'Source') || names.includes(name)) return [];
    // Studio has the default of a property that the files did not set.
    const current = before.properties.get(name) ?? reflection.defaultOf(before.className, name);
    return [
      [name, { ...(current && { current: variantToWire(current) }), ...(incoming !== null && { incoming }) }] as const,
    ];
  });
  const newName =
    changedName === null || names.includes('Name')
      ? []
      : [['Name', { current: { String: before.name }, incoming: { String: changedName } }] as const];
  return Object.fromEntries([...values, ...newName]);
}

function* subtreeOf(instance: Instance, known: KnownInstances): PausableWork<StudioInstance> {
  yield;
  const source = textOf(instance);
  const { Source: text, ...rest } = renderInstance(instance).Properties;
  const properties = source === undefined && text !== undefined ? { ...rest, Source: text } : rest;
  const children: StudioInstance[] = [];
  for (const id of instance.children) {
    const child = known.get(id);
    if (child !== undefined) children.push(yield* subtreeOf(child, known));
  }
  const { id, name, className } = instance;
  return { id, name, className, ...(source === undefined ? {} : { source }), properties, children };
}

type Outcomes = JournalEnding['outcomes'];

/** The changes that did not happen, or of which it is unknown; the others need no outcome. */
function outcomesOf(items: readonly JournalItem[], results: PushResults): Outcomes {
  if (results === undefined) return items.map(({ id }) => ({ id, outcome: 'unknown' as const }));
  if (results === 'unsent')
    return items.map(({ id }) => ({ id, outcome: 'skipped' as const, reason: reasonOf('live_ended_first') }));
  const byId = new Map(results.map(result => [result.id, result]));
  return items.flatMap(({ id }): Outcomes => {
    const result = byId.get(id);
    if (result === undefined) return [{ id, outcome: 'unknown' }];
    const effect = { files: [], studio: result.unchanged !== true };
    if (!result.ok) return [{ id, outcome: 'failed', reason: reasonOfResult(result), effect }];
    return result.unchanged === true ? [{ id, outcome: 'skipped', reason: reasonOf('studio_had_it') }] : [];
  });
}

/** The instances of a message that Studio answers. A project that syncs scripts only sends ancestors too, which Studio has. */
export function answeredIds({ removed, added, updated }: PatchMessage, known: KnownInstances): readonly string[] {
  const isNew = (id: string): boolean => known.has(id as Ref) && known.get(id as Ref) === undefined;
  return [...removed, ...Object.keys(added).filter(isNew), ...updated.map(({ id }) => id)];
}

/** The results of the changes `ids` that Studio refused, and of those that it did not answer. */
export function failedResults(results: readonly AppliedItem[], ids: readonly string[]): readonly AppliedItem[] {
  const answered = new Set(results.map(({ id }) => id));
  const unanswered = ids.filter(id => !answered.has(id));
  return [
    ...results.filter(({ ok }) => !ok),
    ...unanswered.map(id => ({ id, ok: false, reason: reasonOf('push_unconfirmed') })),
  ];
}

export const reasonOfResult = ({ reason, code }: AppliedItem): Reason =>
  reason ?? { code: code ?? 'not_applied', args: [] };

const nameAll = (items: readonly JournalItem[]): string =>
  plural(items.length, items[0]?.path ?? '', `${items.length} instances`);

function summaryOf(items: readonly JournalItem[]): string {
  const what = nameAll(items);
  const types = new Set(items.map(({ patchType }) => patchType));
  const verb = types.size > 1 ? 'Changed' : types.has('Add') ? 'Created' : types.has('Remove') ? 'Removed' : 'Updated';
  return `${verb} ${what} in Studio.${historyHint(items)}`;
}

const historyHint = (items: readonly JournalItem[]): string =>
  items.every(({ patchType }) => patchType === 'Add') ? '' : ' The previous state is in History.';

function endOf(items: readonly JournalItem[], outcomes: Outcomes, isUnsent: boolean): string {
  if (isUnsent) return `Did not change ${nameAll(items)} in Studio: Live Sync ended before the change was sent.`;
  const withOutcome = (wanted: string): Outcomes => outcomes.filter(({ outcome }) => outcome === wanted);
  const nameOf = (some: Outcomes): string =>
    some.length < items.length ? `${some.length} of ${items.length} instances` : nameAll(items);
  const failed = withOutcome('failed');
  const [first] = failed;
  if (first !== undefined) {
    const reason = first.reason === undefined ? '' : `: ${reasonText(toReason(first.reason)).replace(/\.$/, '')}`;
    return `Did not change ${nameOf(failed)} in Studio${reason}.`;
  }
  const unknown = withOutcome('unknown');
  if (unknown.length > 0) return `Studio did not confirm the changes of ${nameOf(unknown)}.${historyHint(items)}`;
  const skipped = new Set(withOutcome('skipped').map(({ id }) => id));
  const changed = items.filter(({ id }) => !skipped.has(id));
  return changed.length > 0 ? summaryOf(changed) : `Studio already had the changes of ${nameAll(items)}.`;
}
