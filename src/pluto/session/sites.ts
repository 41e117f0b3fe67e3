import type { UseInFile } from '../language/refs/use-table.ts';
import type { Use, UseKind } from '../language/refs/use.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import { linesOf } from '../language/syntax/line-map.ts';
import { type ItemAt, itemWithId, qualifiedName } from './items.ts';
import type { PlutoSession } from './pluto-session.ts';
import { partsOf, type Item } from '../language/syntax/parts.ts';

/** The kinds of use that tools report. */
export type SiteKind = Exclude<UseKind, 'catch' | 'binding'>;

/** One reference to an item, with its enclosing item. */
export interface Site {
  readonly kind: SiteKind;
  readonly module: string;
  /** The innermost enclosing item; `undefined` in an import or a broken file. */
  readonly from: { readonly id: DeclId; readonly name: string } | undefined;
  /** The smallest expression, type or clause around the name. */
  readonly snippet: string;
  /** UTF-8 bytes of the module's text. */
  readonly span: { readonly start: number; readonly end: number };
  /** Counted from 1, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** All references to an item, sorted by module and position. */
export async function sitesOf(session: PlutoSession, id: DeclId, signal: AbortSignal): Promise<readonly Site[]> {
  const modules = new Map((await session.modules(signal)).map(module => [module.path, module]));
  return session.checker.usesOf(id).flatMap(({ file, use }) => {
    const module = modules.get(file);
    return module === undefined ? [] : [siteOf(module, use)];
  });
}

/** A call of a function or method. */
export interface CallSite extends Site {
  /** The trait method that is called; the implementation is known only at run time. */
  readonly through: string | undefined;
}

/** All calls of the item, including calls that may dispatch to it through a trait of its class. */
export async function callSitesOf(
  session: PlutoSession,
  { id, owners }: Pick<ItemAt, 'id' | 'owners'>,
  signal: AbortSignal,
): Promise<readonly CallSite[]> {
  const callsOf = async (one: DeclId): Promise<readonly Site[]> =>
    (await sitesOf(session, one, signal)).filter(({ kind }) => kind === 'call');
  const sites: CallSite[] = (await callsOf(id)).map(site => ({ ...site, through: undefined }));
  const owner = owners.at(-1);
  if (owner?.kind !== 'ClassDecl' || owner.id === undefined) return sites;
  const traits = new Set(session.checker.implementationsOf(owner.id));
  for (const one of session.checker.overrideFamilyOf(id)) {
    const at = session.knownItem(one);
    const trait = at?.owners.at(-1)?.id;
    if (at === undefined || trait === undefined || !traits.has(trait)) continue;
    for (const site of await callsOf(one)) sites.push({ ...site, through: qualifiedName(at) });
  }
  return sites.toSorted(compareSites);
}

const compareSites = (a: Site, b: Site): number =>
  a.module === b.module ? a.span.start - b.span.start : a.module < b.module ? -1 : 1;

const reportedKind = (kind: UseKind): SiteKind => (kind === 'catch' ? 'type_ref' : kind === 'binding' ? 'field' : kind);

export function siteOf(module: LoadedModule, use: Use): Site {
  const from = use.from === undefined ? undefined : itemWithId([module], use.from);
  const lines = linesOf(module.module);
  return {
    kind: reportedKind(use.kind),
    module: module.path,
    from: from && { id: from.id, name: qualifiedName(from) },
    snippet: module.module.text.slice(use.site.start, use.site.end),
    span: lines.toByteSpan(use.site),
    ...lines.position(use.name.start),
  };
}

/**
 * References from outside to an item or its parts, which dangle without it. A reference inside another one (a field in a literal of the
 * class) is not listed separately.
 */
export function usesFromOutside(session: PlutoSession, { item, module }: ItemAt): readonly UseInFile[] {
  const found: UseInFile[] = [];
  const walk = (one: Item): void => {
    for (const located of one.id === undefined ? [] : session.checker.usesOf(one.id)) {
      const { start, end } = located.use.name;
      const isInside = located.file === module.path && start >= item.start && end <= item.end;
      if (!isInside) found.push(located);
    }
    for (const part of partsOf(one)) walk(part);
  };
  walk(item);
  // Sites never overlap partially. The item comes before its parts, so of two references at one site that of the outer item stays.
  return Array.from(Map.groupBy(found, ({ file }) => file).values()).flatMap(inFile => {
    let end = -1;
    return inFile
      .toSorted((a, b) => a.use.site.start - b.use.site.start || b.use.site.end - a.use.site.end)
      .filter(({ use: { site } }) => {
        const isOuter = site.end > end;
        end = Math.max(end, site.end);
        return isOuter;
      });
  });
}
