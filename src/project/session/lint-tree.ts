import { isScriptClass } from '../../protocol/script-class.ts';
import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { positionIn } from '../../roblox/formats/json5-document.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ProjectDiagnostic } from '../project-session.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { ProjectTree, TreeInstance } from '../tree/project-tree.ts';
import type { ReadDiagnostics } from './diagnostic-store.ts';
import type { Draft } from './draft.ts';

/**
 * Warns about instances that load but will not work as expected in Studio. Checks only what the draft changes, so the work for one
 * saved file does not grow with its folder.
 *
 * @param unresolved for each checked instance, one sentence per reference without a target
 */
export async function lintDraft(
  draft: Draft,
  tree: ProjectTree,
  reflection: Reflection,
  unresolved: ReadonlyMap<Ref, readonly string[]>,
  slice: TimeSlice,
): Promise<ReadDiagnostics> {
  const reported = new Map<string, readonly ProjectDiagnostic[]>();
  // A new instance has no earlier warnings to clear.
  const report = (key: 'class' | 'children' | 'references', id: Ref, found: readonly ProjectDiagnostic[]): void => {
    if (found.length > 0 || tree.get(id) !== undefined) reported.set(`${key}:${id}`, found);
  };
  const parents = new Set<Ref>();
  let count = 0;
  const isDue = (): boolean => (count += 1) % 64 === 0;
  for (const [id, after] of draft.patch) {
    if (isDue()) await slice.yieldToEventLoop();
    const before = tree.get(id);
    if (after === undefined) for (const key of keysOf(id)) reported.set(key, []);
    if (after === undefined || isSameInside(before, after)) continue;
    report('class', id, lintClass(after, draft.get(after.parent), reflection));
    if (after.children.length > 0 || before !== undefined) parents.add(id);
    if (before === undefined || !isSameOutside(before, after)) parents.add(after.parent);
    if (before === undefined || before.className === after.className) continue;
    for (const child of after.children.map(each => draft.get(each)).filter(each => each !== undefined))
      report('class', child.id, lintClass(child, after, reflection));
  }
  for (const id of parents) {
    if (isDue()) await slice.yieldToEventLoop();
    const parent = draft.get(id);
    if (parent) report('children', id, lintChildren(parent, draft, reflection));
  }
  for (const [id, problems] of unresolved) {
    const instance = draft.get(id);
    if (instance === undefined) continue;
    const found = problems.map(problem => warning(instance, `a reference with a target: ${problem}`));
    report('references', id, found);
  }
  return { reported, children: new Map() };
}

const keysOf = (id: Ref): readonly string[] => [`class:${id}`, `children:${id}`, `references:${id}`];

/** Whether the warnings about the siblings stay the same. They name the file of an instance. */
const isSameOutside = (before: TreeInstance, after: TreeInstance): boolean =>
  before.name === after.name &&
  before.className === after.className &&
  before.key === after.key &&
  before.location.text?.path === after.location.text?.path;

const isSameInside = (before: TreeInstance | undefined, after: TreeInstance): boolean =>
  before !== undefined &&
  isSameOutside(before, after) &&
  before.parent === after.parent &&
  // The position of a node changes with the text of its project file.
  (after.origin?.kind !== 'node' || before.origin === after.origin) &&
  before.children.length === after.children.length &&
  before.children.every((child, index) => child === after.children[index]);

/** Instances that Studio creates automatically, as parent class and class. */
const builtInChildren: ReadonlySet<string> = new Set([
  'StarterPlayer/StarterPlayerScripts',
  'StarterPlayer/StarterCharacterScripts',
  'Workspace/Terrain',
]);

function lintClass(
  instance: TreeInstance,
  parent: Instance | undefined,
  reflection: Reflection,
): readonly ProjectDiagnostic[] {
  const { className, metadata } = instance;
  if (parent === undefined || metadata.source === undefined || !reflection.hasClass(className)) return [];
  if (reflection.isService(className))
    return parent.className === 'DataModel'
      ? []
      : [
          warning(
            instance,
            `${className} directly in the DataModel, where Studio keeps its services, not in ${parent.className}`,
          ),
        ];
  if (reflection.isCreatable(className) || builtInChildren.has(`${parent.className}/${className}`)) return [];
  return [warning(instance, `a creatable class: Studio cannot create ${className} instances`)];
}

function lintChildren(parent: TreeInstance, draft: Draft, reflection: Reflection): readonly ProjectDiagnostic[] {
  const children = parent.children.map(id => draft.get(id)).filter(child => child !== undefined);
  const found: ProjectDiagnostic[] = [];
  const folders = new Map<string, TreeInstance>();
  const services = new Set<string>();
  for (const child of children) {
    if (isScriptFolder(child)) folders.set(child.name, child);
    if (parent.className !== 'DataModel' || !reflection.isService(child.className)) continue;
    if (services.has(child.className))
      found.push(warning(child, `only one ${child.className} in the DataModel: Studio cannot create a second one`));
    services.add(child.className);
  }
  if (folders.size === 0) return found;
  for (const child of children) {
    const folder = folders.get(child.name);
    const path = folder?.location.text?.path;
    if (path === undefined || isScriptFolder(child) || !isScriptClass(child.className)) continue;
    found.push(
      warning(child, `only one script named ${JSON.stringify(child.name)} here: ${path} describes another one`),
    );
  }
  return found;
}

const isScriptFolder = ({ location, className }: TreeInstance): boolean =>
  location.kind === 'folder' && location.text !== undefined && isScriptClass(className);

/** A warning at the project node, or at the start of the main file of the instance. */
function warning(instance: TreeInstance, expected: string): ProjectDiagnostic {
  const { origin, location, metadata } = instance;
  const message = `expected ${expected}`;
  if (origin?.kind === 'node') {
    const { file, document } = origin.project;
    return { file, ...positionIn(document, origin.node.offset), severity: 'warning', message };
  }
  const [first] = metadata.relevantPaths;
  const file = location.text?.path ?? location.values.find(values => values.exists)?.file ?? location.entry ?? first;
  // Only instances with a file are checked, and that file is a relevant path.
  if (file === undefined) throw new Error('a warning requires an instance with a file');
  return { file, line: 1, column: 1, severity: 'warning', message };
}
