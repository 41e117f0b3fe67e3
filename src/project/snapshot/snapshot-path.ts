import type { ProjectPath } from '../../base/brand.ts';
import { snapshotDirectory } from './directory.ts';
import { isScriptKind, middlewares } from './middlewares.ts';
import type { SnapshotPass } from './pass.ts';
import { fileRule } from './sync-rules.ts';
import { brokenAt, pathKey, type SnapshotOutcome, type SnapshotSettings } from './source-snapshot.ts';

/** What a file or folder makes; `undefined` when it is not there or no instance comes of it. */
export async function snapshotPath(
  pass: SnapshotPass,
  entry: ProjectPath,
  settings: SnapshotSettings,
): Promise<SnapshotOutcome | undefined> {
  const kind = await pass.disk.kindOf(entry);
  if (kind === 'directory') return snapshotDirectory(pass, entry, settings);
  if (kind !== 'file') return undefined;
  const rule = fileRule(entry, settings);
  if (rule === undefined) return undefined;
  if (settings.syncScriptsOnly && rule.kind !== 'project' && !isScriptKind(rule.kind)) return undefined;
  const outcome = await middlewares[rule.kind](pass, { path: entry, name: rule.name, kind: rule.kind, settings });
  return outcome === 'broken' ? brokenAt(pathKey(entry)) : outcome;
}
