import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, isAtOrBelow } from '../../../base/project-path.ts';
import type { TextEdit } from '../../language/edit/text-edit.ts';
import { stemOf } from '../../language/modules/folder-index.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { stdNameOf } from '../../language/std/std-path.ts';
import type { Name } from '../../language/syntax/ast/node.ts';
import type { PlutoSession } from '../pluto-session.ts';

/** How one module refers to the declarations of another file. */
export interface Access {
  /** The qualifier; `undefined` within one module. */
  readonly binding: string | undefined;
  /** The missing import, if any. */
  readonly importLine: string | undefined;
}

/** `undefined` if the file cannot be imported: a module imports only from its own folder and below, and from the standard library. */
export function findAccess(session: PlutoSession, from: LoadedModule, file: ProjectPath): Access | undefined {
  const imports = session.importsOf(from);
  const isNamed = imports.some(({ decl }) => decl.path[0]?.text === stemOf(file));
  if (from.path === file || (folderOf(from.path) === folderOf(file) && !isNamed))
    return { binding: undefined, importLine: undefined };
  const existing = imports.find(({ target }) => target?.files.includes(file) === true);
  if (existing !== undefined) return { binding: existing.binding, importLine: undefined };
  const std = stdNameOf(file);
  const folder = folderOf(from.path);
  if (std === undefined && !isAtOrBelow(file, folder)) return undefined;
  const below = file.slice(folder === '' ? 0 : folder.length + 1).replace(/\.(?:pluto|pt)$/, '');
  const path = std === undefined ? below.replaceAll('/', '.') : `std.${std}`;
  const name = path.slice(path.lastIndexOf('.') + 1);
  const isFree = !imports.some(({ binding }) => binding === name);
  const binding = isFree ? name : `${name}_module`;
  return { binding, importLine: `import ${path}${isFree ? '' : ` as ${binding}`}` };
}

/** The edit that qualifies a name with `binding`. `bindings` are those of its module. */
export function requalify(
  text: string,
  name: Pick<Name, 'start'>,
  bindings: ReadonlySet<string>,
  binding: string | undefined,
): TextEdit | undefined {
  const before = /([A-Za-z_][A-Za-z0-9_]*)[ \t]*\.[ \t]*$/.exec(text.slice(Math.max(0, name.start - 200), name.start));
  const isQualified = before?.[1] !== undefined && bindings.has(before[1]);
  const start = isQualified ? name.start - before[0].length : name.start;
  const written = text.slice(start, name.start);
  const wanted = binding === undefined ? '' : `${binding}.`;
  return written === wanted ? undefined : { span: { start, end: name.start }, text: wanted };
}
