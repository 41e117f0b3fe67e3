import { err, ok, type Result } from '../../../base/result.ts';
import { isDeclId } from '../identity/ids.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import { LineMap } from '../syntax/line-map.ts';
import { isItem, type Item, kindNames, nameOfItem, partsOf } from '../syntax/parts.ts';
import type { Json } from './canonical-json.ts';
import type { ContainerProblem } from './container-problem.ts';

/** An entry of `AST0` about one item. Spans are bytes of `SRCE`. */
export interface OutlineItem {
  readonly id: DeclId;
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly parts: readonly OutlineItem[];
}

/** Every item of a module, all of which must have ids. */
export function outlineOf({ text, tree }: Pick<ParsedModule, 'text' | 'tree'>): readonly OutlineItem[] {
  const lines = new LineMap(text);
  const outline = (item: Item): OutlineItem => {
    if (item.id === undefined) throw new Error(`'${nameOfItem(item)}' has no id yet`);
    const { start, end } = lines.toByteSpan(item);
    const parts = partsOf(item).map(outline);
    return { id: item.id, kind: kindNames[item.kind], name: nameOfItem(item), start, end, parts };
  };
  return tree.items.filter(isItem).map(outline);
}

export const outlineToJson = (items: readonly OutlineItem[]): Json =>
  items.map(({ id, kind, name, start, end, parts }) => {
    const own = { id, kind, name, span: [start, end] };
    return parts.length === 0 ? own : { ...own, parts: outlineToJson(parts) };
  });

const malformed = (reason: string): Result<never, ContainerProblem> => err({ code: 'outline_malformed', reason });
const MAX_LEVELS = 8;

/** Validates the shape; every id occurs once. */
export function outlineFromJson(value: unknown): Result<readonly OutlineItem[], ContainerProblem> {
  const seen = new Set<DeclId>();
  const read = (list: unknown, level: number): Result<readonly OutlineItem[], ContainerProblem> => {
    if (!Array.isArray(list)) return malformed('AST0 is not a list of items');
    if (level > MAX_LEVELS) return malformed('AST0 is nested too deeply');
    const items: OutlineItem[] = [];
    for (const entry of list as readonly unknown[]) {
      if (typeof entry !== 'object' || entry === null) return malformed('an item of AST0 is not an object');
      const { id, kind, name, span, parts = [] } = entry as Readonly<Record<string, unknown>>;
      if (typeof id !== 'string' || !isDeclId(id)) return malformed('an item of AST0 has no id');
      if (seen.has(id)) return err({ code: 'id_duplicate', reason: `two items have the id ${id}` });
      seen.add(id);
      if (typeof kind !== 'string' || typeof name !== 'string') return malformed(`item ${id} has no kind or name`);
      const [start, end] = Array.isArray(span) ? (span as readonly unknown[]) : [];
      if (typeof start !== 'number' || typeof end !== 'number') return malformed(`item ${id} has no span`);
      const inner = read(parts, level + 1);
      if (!inner.ok) return inner;
      items.push({ id, kind, name, start, end, parts: inner.value });
    }
    return ok(items);
  };
  return read(value, 1);
}

/** Assigns the ids of an outline to the items of a new tree if both match; otherwise assigns none. */
export function adoptOutline(
  { text, tree }: Pick<ParsedModule, 'text' | 'tree'>,
  outline: readonly OutlineItem[],
): Result<undefined, ContainerProblem> {
  const lines = new LineMap(text);
  const adopted: { item: Item; id: DeclId }[] = [];
  const adopt = (items: readonly Item[], entries: readonly OutlineItem[]): string | undefined => {
    if (items.length !== entries.length)
      return `AST0 and SRCE have different numbers of items: ${entries.length} and ${items.length}`;
    for (const [index, item] of items.entries()) {
      const entry = entries[index];
      if (entry === undefined) return undefined;
      const { start, end } = lines.toByteSpan(item);
      const isSame =
        entry.kind === kindNames[item.kind] &&
        entry.name === nameOfItem(item) &&
        entry.start === start &&
        entry.end === end;
      if (!isSame)
        return `AST0 has ${entry.kind} '${entry.name}' where SRCE has ${kindNames[item.kind]} '${nameOfItem(item)}'`;
      adopted.push({ item, id: entry.id });
      const inside = adopt(partsOf(item), entry.parts);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };
  const difference = adopt(tree.items.filter(isItem), outline);
  if (difference !== undefined) return err({ code: 'outline_disagrees', reason: difference });
  for (const { item, id } of adopted) item.id = id;
  return ok(undefined);
}
