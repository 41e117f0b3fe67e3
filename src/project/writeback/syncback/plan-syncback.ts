import { reasonText } from '../../../protocol/reason.ts';
import { visibleServices } from '../../../protocol/studio/messages.ts';
import type { Model } from '../../../roblox/instances/model.ts';
import type { Dialect, ProjectFile } from '../../project-file/project-file.ts';
import type { FileEdit } from '../../../ports/file-system.ts';
import type { TimeSlice } from '../../../base/time-slice.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';
import { planAll } from '../plan-pulls.ts';
import type { PullContext } from '../pull-context.ts';
import { excludesFile } from './excluded-files.ts';
import { comparePlace, type PlaceRules, type SyncbackNote } from './compare-place.ts';
import { desiredFromModel, desiredFromPlace } from './desired-place.ts';

/** The file edits of a syncback. Plain data: a preview shows it, and applying it executes `edits`. */
export interface SyncbackPlan {
  readonly edits: readonly FileEdit[];
  /** Parts of the place that cannot be written to files. The rest is written. */
  readonly refused: readonly SyncbackNote[];
  /** Differences that syncback does not change. */
  readonly notes: readonly SyncbackNote[];
}

export interface SyncbackInput {
  readonly model: Model;
  readonly kind: 'place' | 'model';
}

/**
 * Plans the file edits that make the project match a place or model file. Reads files but writes none.
 *
 * @returns a sentence when the file does not match the project
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
    excludesFile: excludesFile(project),
    excludesProperty: rules.excludesProperty,
    unwritableReferences: 'skip',
  } as const;
  const plan = await planAll(context, pulls, limits, slice, signal);
  const unplanned = plan.pulls.flatMap((outcome, index) =>
    outcome.ok || outcome.isExcluded ? [] : [{ path: paths[index] ?? '', reason: reasonText(outcome.reason) }],
  );
  return { edits: plan.edits, refused: [...comparison.refused, ...unplanned], notes };
}

function rootOf({ model, kind }: SyncbackInput): DesiredInstance | string {
  if (kind === 'place') return desiredFromPlace(model);
  const [root, second] = model.roots;
  if (root === undefined || second !== undefined)
    return `a project has exactly one root instance; the model has ${model.roots.length}`;
  return desiredFromModel(root);
}

function placeRules({ reflection, tree }: PullContext, project: ProjectFile, root: DesiredInstance): PlaceRules {
  const { syncbackRules: rules, dialect } = project;
  const camera = rules.syncCurrentCamera ? undefined : currentCamera(root);
  const hidesServices = root.className === 'DataModel' && hidesHiddenServices(project, dialect);
  const excludes = excludesFile(project);
  const top = tree.get(tree.rootId);
  return {
    ignores: (path, className, desired) =>
      rules.ignoreClasses.has(className) ||
      rules.ignoresTree(path) ||
      (desired === undefined ? className === 'Camera' && path === cameraPath(root, camera) : desired === camera) ||
      (hidesServices && !path.includes('/') && isHidden(top, path, className)),
    excludesInstance: ({ location, metadata }: TreeInstance) => {
      const path = location.text?.path ?? location.entry ?? metadata.source?.path;
      return path !== undefined && (excludes(path) || (location.entry !== undefined && excludes(location.entry)));
    },
    excludesProperty: (className, name) => {
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
  const isExplicit = root.kind === 'object' && root.members.some(({ key }) => key === 'ignoreHiddenServices');
  return isExplicit ? ignoreHiddenServices : (syncbackRules.ignoreHiddenServices ?? true);
}

/** Whether an instance in the DataModel is a hidden service, and not another instance with the name of one. */
const isHidden = (top: TreeInstance | undefined, path: string, className: string): boolean =>
  top !== undefined && path === className && !visibleServices.includes(className);

function currentCamera(root: DesiredInstance): DesiredInstance | undefined {
  const workspace = root.children.find(({ className }) => className === 'Workspace');
  const camera = workspace?.properties.get('CurrentCamera');
  return camera?.type === 'Ref' ? find(workspace, camera.value) : undefined;
}

function find(from: DesiredInstance | undefined, id: string): DesiredInstance | undefined {
  const open = from === undefined ? [] : [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.id === id) return at;
    for (const child of at.children) open.push(child);
  }
  return undefined;
}

const cameraPath = (root: DesiredInstance, camera: DesiredInstance | undefined): string | undefined => {
  const workspace = root.children.find(({ className }) => className === 'Workspace');
  return workspace && camera && `${workspace.name}/${camera.name}`;
};
