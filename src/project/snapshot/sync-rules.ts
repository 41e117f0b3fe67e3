import type { ProjectPath } from '../../base/brand.ts';
import { isAtOrBelow, nameOf } from '../../base/project-path.ts';
import { type FileRule, initFiles, plainName, ruleFor } from './rules.ts';
import type { SnapshotSettings } from './source-snapshot.ts';

/**
 * What a file becomes: by the first of the project's `syncRules` that fits, else by its name. `undefined`: nothing.
 * `reference/project-format.md`, section 1.7.
 */
export function fileRule(path: ProjectPath, settings: SnapshotSettings): FileRule | undefined {
  const { dialect, syncRules } = settings;
  const name = nameOf(path);
  if (initFiles(dialect).some(init => init.name === name)) return undefined;
  if (syncRules !== undefined && isAtOrBelow(path, syncRules.folder)) {
    const relative = syncRules.folder === '' ? path : path.slice(syncRules.folder.length + 1);
    for (const { matches, excludes, use, suffix } of syncRules.rules) {
      if (!matches(relative) || excludes?.(relative)) continue;
      if (use === 'ignore') return undefined;
      return { kind: use, name: plainName(nameBySuffix(name, suffix), dialect) };
    }
  }
  return ruleFor(name, dialect);
}

const nameBySuffix = (name: string, suffix: string | undefined): string => {
  if (suffix !== undefined) return name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name;
  return name.replace(/(?<=.)\.[^.]*$/, '');
};
