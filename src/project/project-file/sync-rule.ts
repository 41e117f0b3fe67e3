import { fieldsOf, objectOf, ShapeError, textOf } from '../../roblox/formats/json-shape.ts';
import type { JsonNode } from '../../roblox/formats/json5-document.ts';
import type { GlobReader } from './glob-rule.ts';

/** One of a project's `syncRules`. Paths are relative to the folder of the project. */
export interface SyncRule {
  readonly matches: (path: string) => boolean;
  readonly excludes: ((path: string) => boolean) | undefined;
  /** The name of the file kind, or `ignore`. */
  readonly use: string;
  /** The suffix that is removed from the file name to get the instance name. Without it, the last extension is removed. */
  readonly suffix: string | undefined;
}

/** @throws ShapeError */
export function readSyncRule(node: JsonNode, kindNames: readonly string[], globs: GlobReader): SyncRule {
  const { members } = objectOf(node, 'each of "syncRules"');
  const { known } = fieldsOf(members, ['pattern', 'exclude', 'use', 'suffix'] as const);
  if (known.pattern === undefined) throw new ShapeError(node.start, 'a "pattern" in each of "syncRules"');
  if (known.use === undefined) throw new ShapeError(node.start, 'a "use" in each of "syncRules"');
  const use = textOf(known.use, '"use"');
  const names = [...kindNames, 'ignore'];
  if (!names.includes(use)) throw new ShapeError(known.use.start, `"use" to be one of ${names.join(', ')}`);
  return {
    matches: globs.glob(known.pattern, '"pattern"'),
    excludes: known.exclude && globs.glob(known.exclude, '"exclude"'),
    use,
    suffix: known.suffix && textOf(known.suffix, '"suffix"'),
  };
}
