import type { ProjectPath } from '../../base/brand.ts';
import { projectName } from '../project-file/project-names.ts';
import { readJson, reportProblem, type SnapshotPass } from './pass.ts';
import { snapshotNode } from './project-node.ts';
import { brokenSnapshot, pathKey, type SnapshotOutcome, type SnapshotSettings } from './source-snapshot.ts';

/**
 * Reads a project file. `entry` is the file or its folder, `outer` the settings of the outer project, `byRule` the name from the sync rule
 * that matched the file.
 */
export async function snapshotProject(
  pass: SnapshotPass,
  at: {
    readonly entry: ProjectPath;
    readonly file: ProjectPath;
    readonly outer: SnapshotSettings | undefined;
    readonly byRule?: string;
  },
): Promise<SnapshotOutcome | undefined> {
  const { entry, file, outer } = at;
  const key = pathKey(entry);
  if (outer?.projects.includes(file)) {
    const circle = [...outer.projects.slice(outer.projects.indexOf(file)), file].join(' → ');
    reportProblem(pass, file, {
      line: 1,
      column: 1,
      expected: `a project that does not include itself (${circle}); change its "$path"`,
    });
    return brokenSnapshot(key);
  }
  const document = await readJson(pass, file);
  if (document === undefined) return undefined;
  const loaded = document === 'broken' ? undefined : pass.loadProject(file, document, outer);
  if (loaded === undefined) return brokenSnapshot(key);
  const { project, settings } = loaded;
  const outcome = await snapshotNode(pass, {
    project,
    settings,
    names: [],
    node: project.tree,
    parentClass: undefined,
  });
  if (outcome?.kind !== 'instance') return outcome && brokenSnapshot(key);
  return {
    ...outcome,
    key,
    origin: outer ? { kind: 'path', entry, settings: outer } : outcome.origin,
    location: { ...outcome.location, entry },
    name: projectName(file, project.name, pass.workspace, at.byRule),
  };
}
