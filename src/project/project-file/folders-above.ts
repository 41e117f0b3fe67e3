import { type JsonNode, memberOf, parseJsonDocument } from '../../roblox/formats/json5-document.ts';

/**
 * How many folders above its own folder the `$path` values of a project file reach, so that the opened folder can include them. Returns 0
 * for text that is not a project file. Ignores absolute paths.
 */
export function foldersAbove(text: string): number {
  const parsed = parseJsonDocument(text);
  return parsed.ok ? highestAscent(memberOf(parsed.value.root, 'tree')?.value) : 0;
}

function highestAscent(node: JsonNode | undefined): number {
  if (node?.kind !== 'object') return 0;
  const below = node.members.filter(({ key }) => key === '$path' || !key.startsWith('$'));
  let highest = 0;
  for (const { key, value } of below)
    highest = Math.max(highest, key === '$path' ? ascentOf(value) : highestAscent(value));
  return highest;
}

function ascentOf(path: JsonNode): number {
  const target = memberOf(path, 'optional')?.value ?? path;
  if (target.kind !== 'string' || /^[/\\]|^[A-Za-z]:/.test(target.value)) return 0;
  let depth = 0;
  let highest = 0;
  for (const name of target.value.split(/[/\\]/)) {
    if (name === '..') depth -= 1;
    else if (name !== '' && name !== '.') depth += 1;
    highest = Math.min(highest, depth);
  }
  return -highest;
}
