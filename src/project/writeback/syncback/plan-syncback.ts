import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf } from '../../../base/project-path.ts';
import { visibleServices } from '../../../protocol/studio/messages.ts';
import type { Model } from '../../../roblox/instances/model.ts';
import type { Dialect, ProjectFile } from '../../project-file/project-file.ts';
import type { FileEdit } from '../../project-session.ts';
import type { TimeSlice } from '../../../base/time-slice.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { Desired } from '../desired.ts';
import { planAll } from '../plan-pulls.ts';
import type { PullContext } from '../pull-context.ts';
import { comparePlace, type PlaceRules, type SyncbackNote } from './compare-place.ts';
import { desiredFromModel, desiredPlace } from './desired-place.ts';

/** What a syncback will write and remove. Plain data: to preview it is to look at it, to apply it is to carry `edits` out. */
export interface SyncbackPlan {
  readonly edits: readonly FileEdit[];
  /** What of the place cannot be brought into files; the rest can be all the same. */
  readonly refused: readonly SyncbackNote[];
  /** What is left as it is because syncback has no say in it. */
  readonly notes: readonly SyncbackNote[];
}

export interface SyncbackInput {
  readonly model: Model;
  readonly kind: 'place' | 'model';
}

/**
 * Plans what makes the project hold what the place or model file holds, without the defects of
 * the reference writer. Reads files, writes none.
 *
 * @returns a sentence when that file and the project do not fit at all
 */
export async function planSyncback(
  context: PullContext,
  project: ProjectFile,
  input: SyncbackInput,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<SyncbackPlan | string> {
  const top = context.tree.get(context.tree.rootId);
  const root = rootOf(input);
  if (top === undefined || typeof root === 'string') return typeof root === 'string' ? root : 'the project is empty';
  if (top.className !== root.className)
    return `the root of the project is a ${top.className}, but the file contains a ${root.className}`;
  const rules = placeRules(context, project, root);
  const comparison = await comparePlace(context.tree, context.reflection, root, rules, slice, signal);
  const { pulls, paths, notes } = comparison;
  const limits = {
    hidesFile: hidesFile(project),
    hidesProperty: rules.hidesProperty,
    lostReferences: 'leave out',
  } as const;
  const plan = await planAll(context, pulls, limits, slice, signal);
  const unplanned = plan.pulls.flatMap((outcome, index) =>
    outcome.ok || outcome.isKeptOut ? [] : [{ path: paths[index] ?? '', reason: outcome.reason }],
  );
  return { edits: plan.edits, refused: [...comparison.refused, ...unplanned], notes };
}

function rootOf({ model, kind }: SyncbackInput): Desired | string {
  if (kind === 'place') return desiredPlace(model);
  const [root, second] = model.roots;
  if (root === undefined || second !== undefined)
    return `the model has ${model.roots.length} root instances; a project has exactly one`;
  return desiredFromModel(root);
}

function hidesFile({ file, syncbackRules }: ProjectFile): (path: ProjectPath) => boolean {
  const folder = folderOf(file);
  return path => syncbackRules.ignoresPath(folder === '' ? path : path.slice(folder.length + 1));
}

function placeRules({ reflection, tree }: PullContext, project: ProjectFile, root: Desired): PlaceRules {
  const { syncbackRules: rules, dialect } = project;
  const camera = rules.syncCurrentCamera ? undefined : currentCamera(root);
  const hidesServices = root.className === 'DataModel' && hidesHiddenServices(project, dialect);
  const hides = hidesFile(project);
  const top = tree.get(tree.rootId);
  return {
    ignores: (path, className, desired) =>
      rules.ignoreClasses.has(className) ||
      rules.ignoresTree(path) ||
      (desired === undefined ? className === 'Camera' && path === cameraPath(root, camera) : desired === camera) ||
      (hidesServices && !path.includes('/') && isHidden(top, path, className)),
    hidesInstance: ({ location, metadata }: TreeInstance) => {
      const path = location.text?.path ?? location.entry ?? metadata.source?.path;
      return path !== undefined && (hides(path) || (location.entry !== undefined && hides(location.entry)));
    },
    hidesProperty: (className, name) => {
      const property = reflection.property(className, name);
      if (property?.serialization.kind === 'no') return true;
      if (property?.scriptability === 'None' && !rules.syncUnscriptable) return true;
      if (rules.ignoreReferents && property?.type === 'Ref') return true;
      const canonical = property?.canonicalName ?? name;
      for (const [owner, names] of rules.ignoreProperties)
        if ((names.has(name) || names.has(canonical)) && reflection.isA(className, owner)) return true;
      return false;
    },
  };
}

function hidesHiddenServices(
  { ignoreHiddenServices, syncbackRules, document }: ProjectFile,
  dialect: Dialect,
): boolean {
  if (dialect === 'rojo') return syncbackRules.ignoreHiddenServices ?? false;
  const { root } = document;
  const isSaid = root.kind === 'object' && root.members.some(({ key }) => key === 'ignoreHiddenServices');
  return isSaid ? ignoreHiddenServices : (syncbackRules.ignoreHiddenServices ?? true);
}

/** A service of its own; a thing that happens to lie there is none. */
const isHidden = (top: TreeInstance | undefined, path: string, className: string): boolean =>
  top !== undefined && path === className && !visibleServices.includes(className);

function currentCamera(root: Desired): Desired | undefined {
  const workspace = root.children.find(({ className }) => className === 'Workspace');
  const camera = workspace?.properties.get('CurrentCamera');
  return camera?.type === 'Ref' ? find(workspace, camera.value) : undefined;
}

function find(from: Desired | undefined, id: string): Desired | undefined {
  const open = from === undefined ? [] : [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.id === id) return at;
    open.push(...at.children);
  }
  return undefined;
}

const cameraPath = (root: Desired, camera: Desired | undefined): string | undefined => {
  const workspace = root.children.find(({ className }) => className === 'Workspace');
  return workspace && camera && `${workspace.name}/${camera.name}`;
};
