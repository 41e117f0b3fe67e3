import { reasonOf } from '../../protocol/reason.ts';
import { areTextsEqual } from '../../base/line-ends.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { withoutReferenceAttributes } from '../../project/tree/resolve-references.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
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
  readonly session: Pick<ProjectSession, 'get'>;
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
  const isThere = (change: RunChange): boolean =>
    change.studio.patchType === 'Remove'
      ? reply.missing.includes(change.studio.id)
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

/** Fails a written change unless the tree, read again from disk, has the state that Studio confirmed. */
export function verifyWritten(change: RunChange, studio: StudioInstance | undefined, deps: VerifyWrittenDeps): void {
  if (change.outcome !== 'written' || change.disk === undefined || studio === undefined) return;
  const now = deps.session.get(change.disk.id);
  const properties = now?.properties;
  if (change.studio.properties?.['Name'] !== undefined && now?.name !== studio.name)
    return fail(change, reasonOf('reads_other_value', 'Name'));
  const source = properties?.get('Source');
  const holdsSource =
    studio.source === undefined || (source?.type === 'String' && areTextsEqual(source.value, studio.source));
  if (!holdsSource) return fail(change, reasonOf('reads_other_text'));
  const other = Object.entries(studio.properties).find(([name, wire]) => {
    const wanted = variantFromWire(wire);
    const read = properties?.get(name);
    // The name is compared above.
    if (name === 'Name') return false;
    if (!wanted.ok) return true;
    if (read === undefined) return !isNothing(wanted.value);
    const [files, studioValue] = [withoutReferenceAttributes(read), withoutReferenceAttributes(wanted.value)];
    return !propertiesEqual(deps.reflection, studio.className, name, files, studioValue);
  });
  if (other !== undefined) fail(change, reasonOf('reads_other_value', other[0]));
}

/** Whether files express the value by omitting it. */
const isNothing = (value: Variant): boolean =>
  (value.type === 'Ref' && value.value === NULL_REF) || (value.type === 'Attributes' && value.value.size === 0);
