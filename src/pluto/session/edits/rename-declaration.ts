import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import type { FileDiagnostic } from '../../language/check/report/answers.ts';
import { type Item, nameOfItem } from '../../language/syntax/parts.ts';
import { isIdentifier } from '../../language/syntax/token.ts';
import { changedModule } from '../changed-module.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { itemIn, loadedModule } from './loaded-module.ts';

export interface RenamedItem {
  readonly id: string;
  readonly oldName: string;
  readonly newName: string;
  /** Updated references, not counting declarations. */
  readonly references: number;
  readonly modules: readonly ProjectPath[];
}

/**
 * Renames an item and its references in all modules. A method is renamed together with the methods that it implements or that implement it.
 * @throws AppError INVALID_INPUT, PLUTO_UNKNOWN_ID, PLUTO_EDIT_REFUSED, PLUTO_NAME_CONFLICT if the meaning of the program would change
 */
export async function renameDeclaration(
  session: PlutoSession,
  { id, newName }: { readonly id: string; readonly newName: string },
  signal: AbortSignal,
): Promise<RenamedItem> {
  if (!isIdentifier(newName))
    throw new AppError('INVALID_INPUT', { problems: `new_name: ${newName} is not an identifier, or is a keyword` });
  const { item } = await session.item(id, signal);
  const oldName = nameOfItem(item);
  const renamed = { id, oldName, newName };
  if (!isNamed(item)) throw new AppError('PLUTO_EDIT_REFUSED', { reason: `${oldName} cannot be renamed` });
  if (oldName === newName) return { ...renamed, references: 0, modules: [] };
  const { checker } = session;
  let before = { faults: new Map<string, number>(), uses: 0 };
  const planned = await session.transact(
    'rename_declaration',
    signal,
    modules => {
      const at = itemIn(modules, id);
      const family = checker.overrideFamilyOf(at.id);
      before = { faults: faultsOf(checker.check()), uses: sum(family, one => checker.usesOf(one).length) };
      const edits = checker.renameEdits(at.id, newName);
      if (edits.size === 0)
        throw new AppError('PLUTO_EDIT_REFUSED', { reason: `${oldName} is part of the standard library` });
      const changed = Array.from(edits, ([path, list]) =>
        changedModule({ before: loadedModule(modules, path), edits: list, makeId: session.idsFor(path) }),
      );
      const places = sum(Array.from(edits.values()), list => list.length);
      return { modules: changed, references: places - family.length, family };
    },
    ({ family }) => {
      const conflict = (reason: string): AppError => new AppError('PLUTO_NAME_CONFLICT', { name: newName, reason });
      const found = checker.check();
      const known = new Map(before.faults);
      for (const fault of found) {
        if (fault.severity !== 'error') continue;
        const left = (known.get(faultKey(fault)) ?? 0) - 1;
        if (left < 0) throw conflict(`${fault.file}: ${fault.message}`);
        known.set(faultKey(fault), left);
      }
      // The checker accepts a name that now refers to something else.
      if (sum(family, one => checker.usesOf(one).length) !== before.uses)
        throw conflict('it would shadow or be shadowed by another declaration');
    },
  );
  return { ...renamed, references: planned.references, modules: planned.modules.map(({ path }) => path) };
}

const isNamed = (item: Item): boolean =>
  item.kind !== 'TestDecl' &&
  item.kind !== 'TestsDecl' &&
  item.kind !== 'Receiver' &&
  !(item.kind === 'ImportDecl' && item.alias === undefined);

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((all, one) => all + of(one), 0);

/** Without the message, which quotes names. */
const faultKey = ({ file, code }: FileDiagnostic): string => `${file} ${code}`;

function faultsOf(found: readonly FileDiagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of found) {
    if (one.severity === 'error') counts.set(faultKey(one), (counts.get(faultKey(one)) ?? 0) + 1);
  }
  return counts;
}
