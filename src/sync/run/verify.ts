import { isScriptClass } from '../../protocol/script-class.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { Ref } from '../../base/brand.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { onlyGameAttributes } from '../../project/tree/game-attributes.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { areVariantsIdentical, propertiesEqual } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { fail, hashAfter, type RunChange } from '../changes/run-change.ts';
import { readInStudio } from '../changes/read-in-studio.ts';

interface VerifyPushesDeps {
  readonly link: Pick<StudioLink, 'read'>;
  readonly compareId: string;
  readonly reflection: Reflection;
}

interface VerifyWrittenDeps {
  readonly session: Pick<ProjectSession, 'get' | 'info'>;
  readonly reflection: Reflection;
}

/**
 * Reads Studio once after an apply without an answer. Studio executes its commands in order, so this read follows the apply.
 *
 * @returns the pushes that were applied
 */
export async function verifyPushes(
  planned: readonly { readonly change: RunChange }[],
  { link, compareId, reflection }: VerifyPushesDeps,
  signal: AbortSignal,
): Promise<ReadonlySet<RunChange>> {
  const pushes = planned.flatMap(({ change }) =>
    change.choice !== 'pull' && change.studio.patchType !== 'Add' ? [change] : [],
  );
  const ids = pushes.map(change => change.studio.id);
  // Without an answer to this read, the pushes stay unknown; the caller reports the first timeout.
  const reply = await readInStudio(link, compareId, ids, signal).catch(() => undefined);
  if (reply === undefined) return new Set();
  const byId = new Map(reply.instances.map(instance => [instance.id, instance]));
  const missing = new Set(reply.missing);
  const isThere = (change: RunChange): boolean =>
    change.studio.patchType === 'Remove'
      ? missing.has(change.studio.id)
      : holdsWanted(change, byId.get(change.studio.id), reflection);
  return new Set(pushes.filter(isThere));
}

function holdsWanted(change: RunChange, studio: StudioInstance | undefined, reflection: Reflection): boolean {
  const hash = hashAfter(change);
  if (studio === undefined || (hash !== undefined && studio.studioHash !== hash)) return false;
  const { choice, merge } = change;
  const values =
    choice === 'merge'
      ? Object.entries(merge?.toStudio ?? {})
      : Object.entries(change.studio.properties ?? {}).map(([name, { incoming }]) => [name, incoming] as const);
  return values.every(([name, incoming]) => {
    const current = variantFromWire(studio.properties[name]);
    const wanted = variantFromWire(incoming);
    const { className } = change.studio;
    return current.ok && wanted.ok && propertiesEqual(reflection, className, name, current.value, wanted.value);
  });
}

/**
 * Fails a written change unless the tree, read again from disk, has the state that Studio confirmed.
 *
 * @param studio that state; `undefined` if Studio does not have the instance
 * @returns the instance that both sides have now; `undefined` if a property that was not written has changed on disk meanwhile
 */
export function verifyWritten(
  change: RunChange,
  studio: StudioInstance | undefined,
  deps: VerifyWrittenDeps,
): Instance | undefined {
  const { disk } = change;
  if (change.outcome !== 'written' || disk === undefined) return undefined;
  const now = deps.session.get(disk.id);
  if (studio === undefined) {
    if (now !== undefined) fail(change, reasonOf('still_included'));
    return undefined;
  }
  const problem = problemOf(change, studio, now, deps);
  if (problem !== undefined) fail(change, problem);
  return problem === undefined && now !== undefined && isOtherwiseUnchanged(change, disk, now) ? now : undefined;
}

/** Instances by class and name, which is how the files of an instance are found again. */
export type InstancesByKey = ReadonlyMap<string, readonly Instance[]>;

const keyOf = ({ className, name }: Pick<Instance, 'className' | 'name'>): string => `${className} ${name}`;

/** Groups the instances with these ids. Called once for each parent: it may have thousands of new children. */
export function* groupByKey(ids: Iterable<Ref>, session: Pick<ProjectSession, 'get'>): PausableWork<InstancesByKey> {
  const groups = new Map<string, Instance[]>();
  for (const id of ids) {
    yield;
    const instance = session.get(id);
    if (instance === undefined) continue;
    const key = keyOf(instance);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [instance]);
    else group.push(instance);
  }
  return groups;
}

/**
 * Fails a created instance unless the tree, read again from disk, has it with everything below it, as Studio confirmed it.
 *
 * @param created the children that its parent has now and had not before
 */
export function* verifyCreated(
  change: RunChange,
  studio: StudioInstance,
  created: InstancesByKey,
  deps: VerifyWrittenDeps,
): PausableWork<void> {
  if (change.outcome !== 'written') return;
  const problem = yield* problemOfCreated([studio], created, deps);
  if (problem !== undefined) fail(change, problem);
}

function* problemOfCreated(
  wanted: readonly StudioInstance[],
  created: InstancesByKey,
  deps: VerifyWrittenDeps,
): PausableWork<Reason | undefined> {
  const { session } = deps;
  for (const [key, group] of Map.groupBy(wanted, keyOf)) {
    yield;
    const [studio] = group;
    // A project of scripts has no files for the others.
    if (studio === undefined || (session.info.syncScriptsOnly && !isScriptClass(studio.className))) continue;
    const now = created.get(key) ?? [];
    if (now.length < group.length) return reasonOf('not_included');
    const [instance] = now;
    // Several instances of one class and name cannot be distinguished.
    if (instance === undefined || now.length > 1) continue;
    const problem =
      problemOfContent(studio, instance, deps, true) ??
      (yield* problemOfCreated(studio.children, yield* groupByKey(instance.children, session), deps));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(
  change: RunChange,
  studio: StudioInstance,
  now: Instance | undefined,
  deps: VerifyWrittenDeps,
): Reason | undefined {
  if (change.studio.properties?.['Name'] !== undefined && now?.name !== studio.name)
    return reasonOf('reads_other_value', 'Name');
  return problemOfContent(studio, now, deps, false);
}

/** @param isCreated whether Studio sent all properties of a new instance, of which files contain only a part */
function problemOfContent(
  studio: StudioInstance,
  now: Instance | undefined,
  { reflection }: VerifyWrittenDeps,
  isCreated: boolean,
): Reason | undefined {
  const properties = now?.properties;
  const source = properties?.get('Source');
  const holdsSource =
    studio.source === undefined || (source?.type === 'String' && areTextsEqual(source.value, studio.source));
  if (!holdsSource) return reasonOf('reads_other_text');
  const other = Object.entries(studio.properties).find(([name, wire]) => {
    const wanted = variantFromWire(wire);
    const read = properties?.get(name);
    // The name is compared above.
    if (name === 'Name') return false;
    if (isCreated && (!wanted.ok || wanted.value.type === 'Ref' || read === undefined)) return false;
    if (!wanted.ok) return true;
    if (read === undefined) return !isNothing(wanted.value);
    const [files, studioValue] = [onlyGameAttributes(read), onlyGameAttributes(wanted.value)];
    return !propertiesEqual(reflection, studio.className, name, files, studioValue);
  });
  return other && reasonOf('reads_other_value', other[0]);
}

/** Whether disk changed nothing but what was written since the comparison. */
function isOtherwiseUnchanged({ studio }: RunChange, seen: Instance, now: Instance): boolean {
  if (now.className !== seen.className) return false;
  const names = new Set([...seen.properties.keys(), ...now.properties.keys()]);
  for (const name of names) {
    if ((name === 'Source' && studio.sourceDiffers) || studio.properties?.[name] !== undefined) continue;
    const [before, after] = [seen.properties.get(name), now.properties.get(name)].map(
      value => value && onlyGameAttributes(value),
    );
    if (before === undefined || after === undefined) {
      if (!isNothing(before ?? after)) return false;
    } else if (!areVariantsIdentical(before, after)) return false;
  }
  return true;
}

/** Whether files express the value by omitting it. */
const isNothing = (value: Variant | undefined): boolean =>
  value === undefined ||
  (value.type === 'Ref' && value.value === NULL_REF) ||
  (value.type === 'Attributes' && value.value.size === 0);
