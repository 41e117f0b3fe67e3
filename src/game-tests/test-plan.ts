import { isScriptClass } from '../protocol/script-class.ts';
import type { Instance } from '../roblox/instances/instance.ts';
import type { Model, ModelInstance } from '../roblox/instances/model.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import { buildModel } from '../project/build/build-model.ts';
import type { ProjectSession } from '../project/project-session.ts';
import { mergeModels } from './merge-models.ts';

/** Positions of the instances on the path below `game`, from 1. */
export type InstancePath = readonly number[];

export interface TestFile {
  /** Relative to the folder of the project. */
  readonly file: string;
  readonly path: InstancePath;
  /** Modules named `init.spec` of the folders above, outermost first; their hooks apply to this file. */
  readonly hooks: readonly InstancePath[];
}

/** The place in which tests run, and the files of its scripts. */
export interface TestPlan {
  readonly place: Model;
  readonly scripts: readonly { readonly file: string; readonly path: InstancePath }[];
  readonly tests: readonly TestFile[];
}

/** Whether a file contains tests, by its name. */
const isTestFile = (file: string): boolean => /\.(?:spec|test)\.luau?$/.test(file);

/**
 * Builds the place for the tests of a project. A project that is not a place is put into ReplicatedStorage.
 *
 * @param base a place into which the project is merged (`mergeModels`)
 */
export function planTests(project: ProjectSession, reflection: Reflection, base?: Model): TestPlan {
  const isPlace = project.get(project.rootId)?.className === 'DataModel';
  const built = buildModel(project, isPlace ? 'place' : 'model', reflection)?.model ?? {
    roots: [],
    metadata: new Map(),
  };
  const files = filesByReferent(project, isPlace, built);
  const own = isPlace ? built : { ...built, roots: [storage(built.roots)] };
  const place = base === undefined ? own : mergeModels(base, own);

  const scripts: { file: string; path: InstancePath }[] = [];
  const tests: TestFile[] = [];
  const visit = (
    instances: readonly ModelInstance[],
    above: InstancePath,
    hooksAbove: readonly InstancePath[],
  ): void => {
    const setUp = instances.findIndex(each => each.name === 'init.spec' && each.className === 'ModuleScript');
    const hooks = setUp === -1 ? hooksAbove : [...hooksAbove, [...above, setUp + 1]];
    for (const [index, instance] of instances.entries()) {
      const path = [...above, index + 1];
      const file = files.get(instance.referent);
      if (file !== undefined) scripts.push({ file, path });
      if (file !== undefined && instance.className === 'ModuleScript' && isTestFile(file))
        tests.push({ file, path, hooks: index === setUp ? hooksAbove : hooks });
      visit(instance.children, path, hooks);
    }
  };
  visit(place.roots, [], []);
  return { place, scripts, tests: tests.toSorted((a, b) => (a.file < b.file ? -1 : 1)) };
}

const storage = (children: readonly ModelInstance[]): ModelInstance => ({
  referent: 'storage',
  className: 'ReplicatedStorage',
  name: 'ReplicatedStorage',
  properties: new Map(),
  children,
});

/** The files of the scripts, by referent. A built model has the instances of the project in the same order. */
function filesByReferent(project: ProjectSession, isPlace: boolean, { roots }: Model): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const visit = (instance: Instance | undefined, built: ModelInstance | undefined): void => {
    if (instance === undefined || built === undefined) return;
    const file = isScriptClass(instance.className) ? project.fsPathOf(instance.id) : null;
    if (file !== null) files.set(built.referent, file);
    for (const [index, id] of instance.children.entries()) visit(project.get(id), built.children[index]);
  };
  const root = project.get(project.rootId);
  if (!isPlace) visit(root, roots[0]);
  else for (const [index, id] of (root?.children ?? []).entries()) visit(project.get(id), roots[index]);
  return files;
}
