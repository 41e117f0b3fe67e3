import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { insertDeclaration, removeItem } from '../../language/edit/edit-items.ts';
import { extentOf } from '../../language/edit/extent.ts';
import { applyEdits, type TextEdit } from '../../language/edit/text-edit.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import type { DeclId } from '../../language/syntax/ast/node.ts';
import type { ParsedModule } from '../../language/syntax/ast/decl.ts';
import { type Item, kindNames, nameOfItem, partsOf } from '../../language/syntax/parts.ts';
import type { ItemAt } from '../items.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { idsWithin, changeKeepingSyntax } from './apply-edits.ts';
import { addImports } from './imports.ts';
import { itemIn, loadedModule } from './loaded-module.ts';
import { readPosition } from './position.ts';
import { findAccess, requalify } from './qualifier.ts';
import { declarationsOf } from './snippet.ts';

export interface MovedItem {
  readonly id: DeclId;
  readonly name: string;
  readonly from: ProjectPath;
  readonly to: ProjectPath;
  /** Updated references. */
  readonly references: number;
  readonly modules: readonly ProjectPath[];
}

/** Edits of one module, and the imports that they need. */
interface Rewrite {
  readonly edits: TextEdit[];
  readonly imports: Set<string>;
}

/**
 * Moves a declaration with its comments to another module. Ids stay. References to it and in it are requalified, imports are added, and
 * it becomes `pub` if another module uses it.
 * @throws AppError PLUTO_UNKNOWN_ID, PLUTO_MODULE_NOT_FOUND, PLUTO_EDIT_REFUSED if a reference would break
 */
export async function moveDeclaration(
  session: PlutoSession,
  { id, path, position }: { readonly id: string; readonly path: string; readonly position: string },
  signal: AbortSignal,
): Promise<MovedItem> {
  await session.item(id, signal);
  const { path: to } = await session.module(path);
  let usesBefore = 0;
  const planned = await session.transact(
    'move_declaration',
    signal,
    modules => {
      const at = itemIn(modules, id);
      const target = loadedModule(modules, to);
      requireMovable(at, to);
      usesBefore = session.checker.usesOf(at.id).length;
      const rewrites = new Map<ProjectPath, Rewrite>();
      const isShown = rewriteReferences(session, modules, at, to, rewrites);
      const moved = movedText(session, at, target, rewrites, isShown);
      const references = Array.from(rewrites.values()).reduce((sum, { edits }) => sum + edits.length, 0);
      const place = readPosition(position, declarationsOf(target.module), to);
      const insertion = insertDeclaration(target.module, moved, place);
      const changed = new Map<ProjectPath, LoadedModule>();
      for (const [file, { edits, imports }] of withEndpoints(rewrites, at.module.path, to)) {
        const before = loadedModule(modules, file);
        const all = [...addImports(before.module, Array.from(imports)), ...edits];
        if (file === at.module.path) all.push(removeItem(before.module, at.item));
        if (file === to) all.push(insertion);
        const after = changeKeepingSyntax({
          before,
          edits: all,
          ...(file === at.module.path && { replaced: idsWithin(at.item) }),
          ...(file === to && { knownIds: (parsed: ParsedModule) => idsOfMoved(at.item, parsed, target) }),
          makeId: session.idsFor(file),
        });
        changed.set(file, after);
      }
      return { modules: Array.from(changed.values()), at, references };
    },
    ({ at }) => {
      const isLost = session.checker.usesOf(at.id).length !== usesBefore || session.knownItem(id)?.module.path !== to;
      if (isLost)
        throw new AppError('PLUTO_EDIT_REFUSED', { reason: `a reference to ${nameOfItem(at.item)} would break` });
    },
  );
  const { at, references } = planned;
  const changedPaths = planned.modules.map(module => module.path);
  return { id: at.id, name: nameOfItem(at.item), from: at.module.path, to, references, modules: changedPaths };
}

function requireMovable({ item, owners, module }: ItemAt, to: ProjectPath): void {
  const refuse = (reason: string): AppError => new AppError('PLUTO_EDIT_REFUSED', { reason });
  if (owners.length > 0 || item.kind === 'ImportDecl')
    throw refuse(`a ${kindNames[item.kind]} cannot be moved on its own`);
  if (module.path === to) throw refuse(`${nameOfItem(item)} is already in ${to}`);
}

const rewriteOf = (rewrites: Map<ProjectPath, Rewrite>, file: ProjectPath): Rewrite => {
  const known = rewrites.get(file) ?? { edits: [], imports: new Set<string>() };
  rewrites.set(file, known);
  return known;
};

/** Requalifies the references to the declaration from outside; returns whether another module has one. */
function rewriteReferences(
  session: PlutoSession,
  modules: readonly LoadedModule[],
  { id, item, module: source }: ItemAt,
  to: ProjectPath,
  rewrites: Map<ProjectPath, Rewrite>,
): boolean {
  let isShown = false;
  for (const { file, use } of session.checker.usesOf(id)) {
    if (file === source.path && use.name.start >= item.start && use.name.end <= item.end) continue;
    const module = loadedModule(modules, file);
    const access = findAccess(session, module, to);
    if (access === undefined)
      throw new AppError('PLUTO_EDIT_REFUSED', {
        reason: `${file} uses ${nameOfItem(item)} and cannot import ${to}: a module imports only from its own folder and below`,
      });
    isShown ||= access.binding !== undefined;
    const { edits, imports } = rewriteOf(rewrites, file);
    const edit = requalify(module.module.text, use.name, bindingsOf(session, module), access.binding);
    if (edit !== undefined) edits.push(edit);
    if (access.importLine !== undefined) imports.add(access.importLine);
  }
  return isShown;
}

/** The source of the declaration for the target module. */
function movedText(
  session: PlutoSession,
  { item, module: source }: ItemAt,
  target: LoadedModule,
  rewrites: Map<ProjectPath, Rewrite>,
  isShown: boolean,
): string {
  const { text } = source.module;
  const extent = extentOf(source.module, item);
  const bindings = bindingsOf(session, source);
  const edits: TextEdit[] = [];
  for (const { name, target: named } of session.checker.usesIn(source.path)) {
    if (name.start < item.start || name.end > item.end) continue;
    const declared = session.knownItem(named);
    if (declared === undefined || declared.owners.length > 0 || declared.item === item) continue;
    const access = findAccess(session, target, declared.module.path);
    if (access === undefined)
      throw new AppError('PLUTO_EDIT_REFUSED', {
        reason: `${target.path} would need ${nameOfItem(declared.item)} and cannot import ${declared.module.path}`,
      });
    const edit = requalify(text, name, bindings, access.binding);
    if (edit !== undefined) edits.push(edit);
    if (access.importLine !== undefined) rewriteOf(rewrites, target.path).imports.add(access.importLine);
  }
  if (isShown && 'isPub' in item && !item.isPub)
    edits.push({ span: { start: item.start, end: item.start }, text: 'pub ' });
  const shifted = edits.map(({ span, text: wanted }) => ({
    span: { start: span.start - extent.start, end: span.end - extent.start },
    text: wanted,
  }));
  return applyEdits(text.slice(extent.start, extent.end), shifted);
}

/** The names by which a module refers to its imports. */
const bindingsOf = (session: PlutoSession, module: LoadedModule): ReadonlySet<string> =>
  new Set(session.importsOf(module).map(({ binding }) => binding));

/** Source and target module always change. */
function withEndpoints(
  rewrites: Map<ProjectPath, Rewrite>,
  from: ProjectPath,
  to: ProjectPath,
): Map<ProjectPath, Rewrite> {
  rewriteOf(rewrites, from);
  rewriteOf(rewrites, to);
  return rewrites;
}

/** The ids of a declaration and its parts, by their start in the target module. */
function idsOfMoved(item: Item, parsed: ParsedModule, target: LoadedModule): readonly (readonly [number, DeclId])[] {
  const ids: [number, DeclId][] = [];
  const pair = (old: Item, fresh: Item): void => {
    if (old.id !== undefined) ids.push([fresh.start, old.id]);
    for (const [index, part] of partsOf(fresh).entries()) {
      const was = partsOf(old)[index];
      if (was !== undefined) pair(was, part);
    }
  };
  const isSame = (one: Item): boolean => one.kind === item.kind && nameOfItem(one) === nameOfItem(item);
  const already = declarationsOf(target.module).filter(isSame).length;
  const found = declarationsOf(parsed).filter(isSame);
  const [fresh] = already === 0 ? found : [];
  if (fresh === undefined)
    throw new AppError('PLUTO_NAME_CONFLICT', { name: nameOfItem(item), reason: `${target.path} already declares it` });
  pair(item, fresh);
  return ids;
}
