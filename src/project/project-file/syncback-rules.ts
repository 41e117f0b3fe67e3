import {
  elementsOf,
  fieldsOf,
  flagOf,
  membersOf,
  objectOf,
  ShapeError,
  textOf,
} from '../../roblox/formats/json-shape.ts';
import type { JsonNode } from '../../roblox/formats/json5-document.ts';
import { compileGlob } from '../../base/globs/glob.ts';
import type { Dialect, GlobReader, GlobRule } from './glob-rule.ts';
import { suggestName } from '../../base/suggest-name.ts';
import { fieldNames, syncbackFields } from './project-fields.ts';

/** The rules for instances, files and properties that syncback does not change. */
export interface SyncbackRules {
  /** Whether the instance at that path of names is excluded, with its descendants. */
  readonly ignoresTree: (path: string) => boolean;
  /** Whether the file at that path, relative to the folder of the project, is never written or removed. */
  readonly ignoresPath: (path: string) => boolean;
  /** Property names by class. They also apply to subclasses. */
  readonly ignoreProperties: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ignoreClasses: ReadonlySet<string>;
  readonly syncCurrentCamera: boolean;
  readonly syncUnscriptable: boolean;
  readonly ignoreReferents: boolean;
  readonly ignoreHiddenServices: boolean | undefined;
}

const fields = fieldNames(syncbackFields);

/** @throws ShapeError */
export function readSyncbackRules(node: JsonNode | undefined, dialect: Dialect, globs: GlobReader): SyncbackRules {
  const { known, unknown } = fieldsOf(node ? objectOf(node, '"syncbackRules"').members : [], fields);
  if (unknown[0] && dialect === 'rojo') {
    const { key, keyStart } = unknown[0];
    throw new ShapeError(keyStart, `a known field of "syncbackRules", not "${key}"${suggestName(key, fields)}`);
  }
  const list = (name: (typeof fields)[number]): readonly JsonNode[] => {
    const found = known[name];
    return found ? elementsOf(found, `"${name}"`) : [];
  };
  const flag = (name: (typeof fields)[number], otherwise: boolean): boolean => {
    const found = known[name];
    return found ? flagOf(found, `"${name}"`) : otherwise;
  };
  const paths = list('ignorePaths').flatMap(each =>
    pathRules(each, dialect, flag('createIgnoreDirPaths', true), globs),
  );
  const warned = known.warnDuplicateNames;
  if (warned) flagOf(warned, '"warnDuplicateNames"');
  return {
    ignoresTree: treeRule(list('ignoreTrees'), dialect, globs),
    ignoresPath: path => {
      const last = paths.findLast(rule => rule.matches(path));
      return path === '.git' || path.startsWith('.git/') || (last !== undefined && !last.isNegated);
    },
    ignoreProperties: new Map(
      membersOf(known.ignoreProperties, '"ignoreProperties"').map(({ key, value }) => [
        key,
        new Set(elementsOf(value, `the properties of ${key}`).map(each => textOf(each, 'each property'))),
      ]),
    ),
    ignoreClasses: new Set(list('ignoreClasses').map(each => textOf(each, 'each of "ignoreClasses"'))),
    syncCurrentCamera: flag('syncCurrentCamera', false),
    syncUnscriptable: flag('syncUnscriptable', dialect === 'rojo'),
    ignoreReferents: flag('ignoreReferents', false),
    ignoreHiddenServices: known.ignoreHiddenServices && flag('ignoreHiddenServices', true),
  };
}

/** In the Rojo dialect each entry is a prefix of the path, in the Atlas dialect a glob. */
function treeRule(nodes: readonly JsonNode[], dialect: Dialect, reader: GlobReader): SyncbackRules['ignoresTree'] {
  if (dialect === 'atlas') {
    const globs = nodes.map(node => reader.glob(node, 'each of "ignoreTrees"'));
    return path => globs.some(matches => matches(path));
  }
  const starts = nodes.map(node => textOf(node, 'each of "ignoreTrees"'));
  return path => starts.some(start => path.startsWith(start));
}

function pathRules(node: JsonNode, dialect: Dialect, withFolder: boolean, globs: GlobReader): readonly GlobRule[] {
  const rule = globs.rule(node, 'each of "ignorePaths"', dialect);
  if (!withFolder || !rule.glob.endsWith('/**')) return [rule];
  const folder = compileGlob(rule.glob.slice(0, -3), 'paths');
  return folder.ok ? [rule, { isNegated: rule.isNegated, matches: folder.value }] : [rule];
}
