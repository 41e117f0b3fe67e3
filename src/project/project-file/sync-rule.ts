import { fieldsOf, objectOf, ShapeError, textOf } from '../../roblox/formats/json-shape.ts';
import type { JsonNode } from '../../roblox/formats/json5-document.ts';
import { readGlob } from './glob-rule.ts';

const uses = {
  csv: 'csv',
  jsonModel: 'jsonModel',
  json: 'json',
  toml: 'toml',
  yaml: 'yaml',
  text: 'text',
  serverScript: 'serverScript',
  clientScript: 'clientScript',
  moduleScript: 'moduleScript',
  pluginScript: 'pluginScript',
  legacyServerScript: 'legacyScript',
  legacyClientScript: 'localScript',
  runContextServerScript: 'runContextServerScript',
  runContextClientScript: 'runContextClientScript',
  legacyScript: 'legacyScript',
  localScript: 'localScript',
  project: 'project',
  rbxm: 'rbxm',
  rbxmx: 'rbxmx',
  ignore: 'ignore',
} as const;

/** One of a project's `syncRules`: `reference/project-format.md`, section 1.7. Paths are relative to the folder of the project. */
export interface SyncRule {
  readonly matches: (path: string) => boolean;
  readonly excludes: ((path: string) => boolean) | undefined;
  /** The kind of file that it is read as. */
  readonly use: (typeof uses)[keyof typeof uses];
  /** What the name of the instance leaves out; else the last extension is. */
  readonly suffix: string | undefined;
}

/** The words of both dialects. @throws ShapeError */
export function readSyncRule(node: JsonNode): SyncRule {
  const { members } = objectOf(node, 'each of "syncRules"');
  const { known } = fieldsOf(members, ['pattern', 'exclude', 'use', 'suffix'] as const);
  if (known.pattern === undefined) throw new ShapeError(node.start, 'a "pattern" in each of "syncRules"');
  if (known.use === undefined) throw new ShapeError(node.start, 'a "use" in each of "syncRules"');
  const use = textOf(known.use, '"use"');
  const kind = Object.entries(uses).find(([name]) => name === use)?.[1];
  if (kind === undefined) throw new ShapeError(known.use.start, `"use" to be one of ${Object.keys(uses).join(', ')}`);
  return {
    matches: readGlob(known.pattern, '"pattern"'),
    excludes: known.exclude && readGlob(known.exclude, '"exclude"'),
    use: kind,
    suffix: known.suffix && textOf(known.suffix, '"suffix"'),
  };
}
