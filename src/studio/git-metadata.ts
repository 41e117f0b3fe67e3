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
export function gitMetadata(tree: Tree, git: GitStatus): GitMetadata {
  const changed = new Set<Ref>();
  const added = new Set<Ref>();
  for (const path of git.changed) for (const id of tree.idsTouchedBy(path)) changed.add(id);
  for (const path of git.untracked) for (const id of tree.idsTouchedBy(path)) added.add(id);
  for (const path of git.ignored) for (const id of idsIn(tree, path)) changed.add(id);
  const hashes: [Ref, readonly string[]][] = [];
  for (const id of changed) {
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

/** Ids of a file or folder and everything below it: Git lists an ignored folder without its contents. */
function idsIn(tree: Tree, path: ProjectPath): readonly Ref[] {
  const below = tree.idsAtPath(path).flatMap(id => Array.from(tree.descendants(id), instance => instance.id));
  return [...tree.idsTouchedBy(path), ...below];
}
