import { isAtOrBelow, joinPath, nameOf } from '../../base/project-path.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileEntry } from '../../ports/file-system.ts';
import { defaultProjectNames } from '../project-file/project-names.ts';
import { readMetas, withMetas } from '../snapshot/meta.ts';
import { reportWarning, type SnapshotPass } from '../snapshot/pass.ts';
import { snapshotProject } from '../snapshot/project.ts';
import type { InstanceContent } from './file-kind.ts';
import { type FileKinds, initMetaNames, plainName } from './file-kinds.ts';
import {
  brokenSnapshot,
  pathKey,
  type SnapshotOutcome,
  type SnapshotSettings,
  type SourceSnapshot,
} from '../snapshot/source-snapshot.ts';

/** Reads a folder: a nested project, a script with children, or a plain Folder. */
export async function snapshotDirectory(
  pass: SnapshotPass,
  kinds: FileKinds,
  entry: ProjectPath,
  settings: SnapshotSettings,
): Promise<SnapshotOutcome | undefined> {
  const { dialect } = settings;
  const listed = await pass.disk.list(entry);
  if (listed === undefined) return undefined;
  const names = new Set(listed.map(({ name }) => name));
  const isThere = (name: string): boolean => names.has(name);
  const project = defaultProjectNames(dialect).find(isThere);
  if (project !== undefined) return snapshotProject(pass, { entry, file: joinPath(entry, project), outer: settings });
  const [init, ...lost] = kinds.initFiles(dialect).filter(candidate => isThere(candidate.name));
  // A project that syncs scripts only skips a LocalizationTable, including the files in its folder.
  if (settings.syncScriptsOnly && init && init.kind.content !== 'script') return undefined;
  for (const { name } of lost)
    warn(pass, joinPath(entry, name), `one init file per folder: ${init?.name} is used, this file is ignored`);
  const initPath = init && joinPath(entry, init.name);
  const content = initPath && (await init.kind.readInit?.(pass, initPath, settings));
  if (content === 'broken') return brokenSnapshot(pathKey(entry));
  const metas = await readMetas(pass, entry, initMetaNames(dialect), dialect);
  if (metas === 'broken') return brokenSnapshot(pathKey(entry));
  const base = baseSnapshot(pass, kinds, entry, settings, initPath && content && { ...content, path: initPath });
  const { children, hidden } = await readChildren(pass, entry, listed, settings);
  const snapshot = { ...base, children, metadata: { ...base.metadata, globIgnoredChildren: hidden } };
  return withMetas(pass, snapshot, metas, dialect, 'folder');
}

function warn(pass: SnapshotPass, file: ProjectPath, expected: string): void {
  reportWarning(pass, file, { line: 1, column: 1, expected });
}

function baseSnapshot(
  pass: SnapshotPass,
  kinds: FileKinds,
  entry: ProjectPath,
  settings: SnapshotSettings,
  init: (InstanceContent & { readonly path: ProjectPath }) | undefined,
): SourceSnapshot {
  return {
    kind: 'instance',
    key: pathKey(entry),
    origin: { kind: 'path', entry, settings },
    location: {
      kind: 'folder',
      values: [],
      folder: entry,
      entry,
      ...(init?.text && { text: { path: init.path, format: init.text } }),
    },
    name: plainName(nameOf(entry) || pass.workspace, settings.dialect),
    className: init?.className ?? 'Folder',
    properties: init?.properties ?? new Map(),
    unreadable: new Set(),
    children: [],
    metadata: {
      ignoreUnknownInstances: false,
      globIgnoredChildren: false,
      source: { kind: 'path', path: entry },
      relevantPaths: [entry, ...kinds.initFiles(settings.dialect).map(({ name }) => joinPath(entry, name))],
    },
  };
}

async function readChildren(
  pass: SnapshotPass,
  entry: ProjectPath,
  listed: readonly FileEntry[],
  settings: SnapshotSettings,
): Promise<{ readonly children: readonly SnapshotOutcome[]; readonly hidden: boolean }> {
  const readable: FileEntry[] = [];
  let hidden = false;
  for (const child of listed) {
    if (pass.slice.isUsedUp()) await pass.slice.waitForNextTurn();
    const { name, kind } = child;
    if (isIgnoredByGlobs(joinPath(entry, name), settings)) hidden = true;
    else if (kind !== 'other') readable.push(child);
    else if (/[\\\uFFFD]/.test(name))
      warn(pass, entry, `file names in UTF-8 without "\\": ${JSON.stringify(name)} is skipped`);
  }
  const outcomes = await pass.budget.map(readable, child => {
    const path = joinPath(entry, child.name);
    return pass.child(pathKey(path), { kind: 'path', entry: path, settings }, deeper =>
      deeper.snapshotPath(path, settings),
    );
  });
  return { children: outcomes.filter(outcome => outcome !== undefined), hidden };
}

/** Whether a path is ignored. In the Rojo dialect the last matching rule decides; the Atlas dialect has no negated rules. */
export function isIgnoredByGlobs(path: ProjectPath, settings: SnapshotSettings): boolean {
  const last = settings.ignoreRules.findLast(
    ({ folder, rule }) =>
      path !== folder &&
      isAtOrBelow(path, folder) &&
      rule.matches(folder === '' ? path : path.slice(folder.length + 1)),
  );
  return last !== undefined && !last.rule.isNegated;
}
