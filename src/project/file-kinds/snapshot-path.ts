import type { ProjectPath } from '../../base/brand.ts';
import { snapshotDirectory } from './directory.ts';
import type { SnapshotPass } from '../snapshot/pass.ts';
import type { FileKinds } from './file-kinds.ts';
import { fileRule } from './sync-rules.ts';
import { brokenSnapshot, pathKey, type SnapshotOutcome, type SnapshotSettings } from '../snapshot/source-snapshot.ts';

/** Reads a file or folder; `undefined` when it does not exist or describes no instance. */
export async function snapshotPath(
  pass: SnapshotPass,
  kinds: FileKinds,
  entry: ProjectPath,
  settings: SnapshotSettings,
): Promise<SnapshotOutcome | undefined> {
  const kind = await pass.disk.kindOf(entry);
  if (kind === 'directory') return snapshotDirectory(pass, kinds, entry, settings);
  if (kind !== 'file') return undefined;
  const rule = fileRule(kinds, entry, settings);
  if (rule === undefined) return undefined;
  const { content } = rule.kind;
  if (settings.syncScriptsOnly && content !== 'project' && content !== 'script') return undefined;
  const outcome = await rule.kind.read(pass, { path: entry, name: rule.name, kind: rule.kind, settings });
  return outcome === 'broken' ? brokenSnapshot(pathKey(entry)) : outcome;
}
