import type { PausableWork } from '../base/time-slice.ts';
import { isScriptClass } from '../protocol/script-class.ts';
import type { ProjectPath, Ref } from '../base/brand.ts';
import type { GitStatus } from '../ports/git.ts';
import type { GitMetadata } from '../protocol/studio/messages.ts';
import type { ProjectSession } from '../project/project-session.ts';

type Tree = Pick<ProjectSession, 'get' | 'idsAtPath' | 'idsTouchedBy' | 'descendants' | 'fsPathOf'>;

/**
 * Collects the Git state from which the Atlas plugin derives its default selections. Ignored files are listed as changed, so that the plugin
 * never treats them as unmodified, and a script has only the blobs of its file.
 */
export function* gitMetadata(tree: Tree, git: GitStatus): PausableWork<GitMetadata> {
  const changed = new Set<Ref>();
  const added = new Set<Ref>();
  for (const path of git.changed) {
    yield;
    for (const id of tree.idsTouchedBy(path)) changed.add(id);
  }
  for (const path of git.untracked) {
    yield;
    for (const id of tree.idsTouchedBy(path)) added.add(id);
  }
  for (const path of git.ignored) yield* addIdsIn(tree, path, changed);
  const hashes: [Ref, readonly string[]][] = [];
  for (const id of changed) {
    yield;
    const fsPath = isScriptClass(tree.get(id)?.className ?? '') ? tree.fsPathOf(id) : null;
    const blobs = fsPath === null ? undefined : git.blobs.get(fsPath);
    if (blobs !== undefined && blobs.length > 0) hashes.push([id, blobs]);
  }
  return {
    changedIds: Array.from(changed),
    scriptCommittedHashes: Object.fromEntries(hashes),
    newFileIds: Array.from(added),
  };
}

/** Adds a file or folder and everything below it: Git lists an ignored folder without its contents. */
function* addIdsIn(tree: Tree, path: ProjectPath, ids: Set<Ref>): PausableWork<void> {
  for (const id of tree.idsTouchedBy(path)) ids.add(id);
  for (const top of tree.idsAtPath(path))
    for (const { id } of tree.descendants(top)) {
      yield;
      ids.add(id);
    }
}
