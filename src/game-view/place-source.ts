import type { Ref } from '../base/brand.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { FoundInstance, PlaceInstance } from '../protocol/studio/explorer.ts';
import type { WireVariant } from '../protocol/values.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import { variantToWire } from '../roblox/values/variant-wire.ts';
import type { StudioExplorer } from '../studio/studio-link.ts';

/** Instances between two checks of the clock. */
const BATCH_SIZE = 64;

/** The source of instances for the Game view: Studio, or the project. */
export type PlaceSource = Pick<StudioExplorer, 'children' | 'find' | 'inspect'>;

export const describeInstance = ({ id, name, className, children }: Instance): PlaceInstance => ({
  id,
  name,
  className,
  childCount: children.length,
  ref: id,
});

/** The instances that the files of the project describe. Ids are Refs. A model is the only instance at the top. */
export function createProjectSource(session: ProjectSession, clock: Clock): PlaceSource {
  const at = (id: string): Instance | undefined => session.get(id as Ref);
  const top = (): readonly Instance[] => {
    const root = session.get(session.rootId);
    if (root === undefined) return [];
    return root.className === 'DataModel' ? childrenOf(root) : [root];
  };
  const childrenOf = ({ children }: Instance): readonly Instance[] =>
    children.map(id => session.get(id)).filter(child => child !== undefined);

  function* list(id: string | undefined): PausableWork<readonly PlaceInstance[]> {
    if (id === undefined) return top().map(describeInstance);
    const listed: PlaceInstance[] = [];
    for (const child of at(id)?.children ?? []) {
      const instance = session.get(child);
      if (instance !== undefined) listed.push(describeInstance(instance));
      if (listed.length % BATCH_SIZE === 0) yield;
    }
    return listed;
  }

  return {
    children: id => runInSlices(list(id), new TimeSlice(clock)),
    async find({ words, roots, limit }, signal) {
      const hits: FoundInstance[] = [];
      const slice = new TimeSlice(clock);
      let visited = 0;
      for (const root of roots)
        for (const instance of session.descendants(root as Ref)) {
          visited += 1;
          if (visited % BATCH_SIZE === 0) {
            await slice.yieldToEventLoop();
            signal.throwIfAborted();
          }
          if (!matches(instance, words)) continue;
          if (hits.length >= limit) return { type: 'found', requestId: '', hits, isComplete: false };
          hits.push({ ...describeInstance(instance), ...pathOf(session, instance, root) });
        }
      return { type: 'found', requestId: '', hits, isComplete: true };
    },
    async inspect(id) {
      const instance = at(id);
      const values = Array.from(instance?.properties ?? []).filter(([name]) => name !== 'Source');
      const properties: Record<string, WireVariant> = {};
      for (const [name, value] of values) properties[name] = variantToWire(value);
      const references: Record<string, string> = {};
      for (const [name, value] of values) {
        const target = value.type === 'Ref' ? session.get(value.value) : undefined;
        if (target !== undefined) references[name] = pathOf(session, target, '').names.join('/');
      }
      return {
        type: 'inspected',
        requestId: '',
        instance: instance === undefined ? { id, name: '', className: '', childCount: 0 } : describeInstance(instance),
        names: instance === undefined ? [] : pathOf(session, instance, '').names,
        properties,
        references,
        omitted: [],
      };
    },
  };
}

/** Whether the name or the class contains every word. `words`: in lower case. */
function matches({ name, className }: Pick<Instance, 'name' | 'className'>, words: readonly string[]): boolean {
  const [lowerName, lowerClass] = [name.toLowerCase(), className.toLowerCase()];
  return words.every(word => lowerName.includes(word) || lowerClass.includes(word));
}

/** The names from below the root, and the ids from `root` to the parent. */
function pathOf(
  session: ProjectSession,
  instance: Instance,
  root: string,
): { readonly names: string[]; readonly above: string[] } {
  const names: string[] = [];
  const above: string[] = [];
  let isBelow = instance.id !== root;
  for (let next: Instance | undefined = instance; next && next.id !== session.rootId; next = session.get(next.parent)) {
    names.unshift(next.name);
    if (isBelow && next !== instance) above.unshift(next.id);
    if (next.id === root) isBelow = false;
  }
  return { names, above };
}
