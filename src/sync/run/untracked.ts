import { namedPath } from '../../protocol/path-name.ts';
import type { Ref } from '../../base/brand.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { onlyGameAttributes } from '../../project/tree/game-attributes.ts';
import type { UntrackedList } from '../../protocol/review.ts';
import type { TrackedProperties, Untracked } from '../../protocol/studio/stream.ts';
import type { WireVariant } from '../../protocol/values.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { variantToWire } from '../../roblox/values/variant-wire.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { ValueNames } from '../review/review-row.ts';

/** Maximum number of untracked properties that a review lists. */
const MAX_LISTED_UNTRACKED = 500;

interface ReadUntrackedDeps {
  readonly link: StudioLink;
  readonly session: ProjectSession;
  readonly reflection: Reflection;
  readonly log: Logger;
}

/**
 * Reads the properties of the comparison that differ from their default in Studio and that no file names. `undefined` if Studio cannot
 * answer: a comparison is complete without them, so a failure is only logged.
 */
export async function readUntracked(
  compareId: string,
  { link, session, reflection, log }: ReadUntrackedDeps,
  signal: AbortSignal,
): Promise<Untracked | undefined> {
  if (link.untracked === undefined || session.info.syncScriptsOnly) return undefined;
  const defaults = defaultsOfServices(session, reflection);
  try {
    return await link.untracked({ compareId, defaults, maxListed: MAX_LISTED_UNTRACKED }, signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn('could not read the untracked properties', { reason: String(error) });
    return undefined;
  }
}

/** The defaults of the classes in the tree that Studio cannot create, such as services and Terrain. */
function defaultsOfServices(
  session: ProjectSession,
  reflection: Reflection,
): Record<string, Record<string, WireVariant>> {
  const found: Record<string, Record<string, WireVariant>> = {};
  const visit = (id: Ref, depth: number): void => {
    const instance = session.get(id);
    if (instance === undefined) return;
    const { className } = instance;
    if (!reflection.isCreatable(className) && found[className] === undefined)
      found[className] = defaultsOf(className, reflection);
    // Such classes are children of the DataModel and of its services.
    if (depth < 2) for (const child of instance.children) visit(child, depth + 1);
  };
  visit(session.rootId, 0);
  return found;
}

function defaultsOf(className: string, reflection: Reflection): Record<string, WireVariant> {
  const values = Array.from(reflection.defaultNames(className)).flatMap(name => {
    const value = reflection.defaultOf(className, name);
    // Studio does not report the attributes of Roblox.
    return value === undefined ? [] : [[name, variantToWire(onlyGameAttributes(value))] as const];
  });
  return Object.fromEntries(values);
}

/** The list as a review shows it. */
export const untrackedList = (
  { count, properties }: Untracked,
  names: ValueNames,
  session: Pick<ProjectSession, 'get'>,
): UntrackedList => ({
  count,
  properties: properties.map(each => {
    const nameOf = (value: WireVariant): string | undefined =>
      typeof value === 'object' && typeof value['Enum'] === 'number'
        ? names.enumItem(each.className, each.property, value['Enum'])
        : undefined;
    const [studioName, defaultName] = [nameOf(each.studio), nameOf(each.default)];
    return {
      ...each,
      ...namedPath(each.path, session.get(each.id as Ref)?.name ?? ''),
      ...(studioName === undefined ? {} : { studioName }),
      ...(defaultName === undefined ? {} : { defaultName }),
    };
  }),
});

/** The properties that a person tracks during a review, until it ends. */
export class PersonTracking {
  readonly #byId = new Map<string, Record<string, WireVariant>>();

  add({ id, property, default: value }: Untracked['properties'][number]): void {
    this.#byId.set(id, { ...this.#byId.get(id), [property]: value });
  }

  all(): readonly TrackedProperties[] | undefined {
    if (this.#byId.size === 0) return undefined;
    return Array.from(this.#byId, ([id, properties]) => ({ id, properties }));
  }
}
