import type { ProjectPath } from '../../base/brand.ts';
import { isAtOrBelow, nameOf } from '../../base/project-path.ts';
import { type FileKinds, type FileRule, plainName } from './file-kinds.ts';
import type { SnapshotSettings } from '../snapshot/source-snapshot.ts';

/** The kind of a file: from the first matching `syncRules` entry, else from its name. `undefined` when the file describes no instance. */
export function fileRule(kinds: FileKinds, path: ProjectPath, settings: SnapshotSettings): FileRule | undefined {
  const { dialect, syncRules } = settings;
  const name = nameOf(path);
  if (kinds.isInitFile(name, dialect)) return undefined;
  if (syncRules !== undefined && isAtOrBelow(path, syncRules.folder)) {
    const relative = syncRules.folder === '' ? path : path.slice(syncRules.folder.length + 1);
    for (const { matches, excludes, use, suffix } of syncRules.rules) {
      if (!matches(relative) || excludes?.(relative)) continue;
      if (use === 'ignore') return undefined;
      const kind = kinds.bySyncRuleName(use);
      return kind && { kind, name: plainName(nameBySuffix(name, suffix), dialect) };
    }
  }
  return kinds.ruleFor(name, dialect);
}

const nameBySuffix = (name: string, suffix: string | undefined): string => {
  if (suffix !== undefined) return name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name;
  return name.replace(/(?<=.)\.[^.]*$/, '');
};
