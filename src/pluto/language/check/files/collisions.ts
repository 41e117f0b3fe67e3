import { kindNames, withArticle } from '../../syntax/parts.ts';
import { isBuiltinFunction } from '../body/builtin-functions.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import type { DeclSymbol } from '../types/type.ts';
import { isSameExtern } from './externs.ts';
import type { ReportInFile } from '../report/check-codes.ts';

const wordFor = (kind: Kind): string => (kind === 'ExternDecl' ? 'extern function' : kindNames[kind]);

type Kind = DeclSymbol['kind'];

/** Kinds of declarations that cannot share a name. The finding is reported at the second kind. */
const clashing: readonly (readonly [Kind, Kind])[] = [
  ['TraitDecl', 'EnumDecl'],
  ['TraitDecl', 'ErrorDecl'],
  ['EnumDecl', 'ErrorDecl'],
  ['TraitDecl', 'ClassDecl'],
  ['EnumDecl', 'ClassDecl'],
  ['ErrorDecl', 'ClassDecl'],
  ['ClassDecl', 'FunctionDecl'],
];
const onlyOnce: ReadonlySet<Kind> = new Set([
  'TraitDecl',
  'EnumDecl',
  'ErrorDecl',
  'ClassDecl',
  'FunctionDecl',
  'StageDecl',
  'ExternDecl',
]);

/** Reports names with more than one meaning in a module. */
export function checkCollisions(program: Program, file: ProgramFile, report: ReportInFile): void {
  for (const symbol of file.symbols.values()) {
    if (symbol.kind === 'TestDecl' || symbol.name === '') continue;
    checkWithOthers(program, file, symbol, report);
    const { name } = symbol.decl;
    if (
      (symbol.kind === 'ClassDecl' || symbol.kind === 'FunctionDecl') &&
      isBuiltinFunction(symbol.name) &&
      !file.isImported
    )
      report(
        'builtin-shadowed',
        name,
        `${wordFor(symbol.kind)} '${symbol.name}' cannot shadow builtin function: rename it`,
      );
    if (symbol.kind === 'ClassDecl' && file.bindings.has(symbol.name))
      report('class-like-import', name, `class '${symbol.name}' conflicts with imported module name '${symbol.name}'`);
    if (isType(symbol.kind) && program.isPreludeType(symbol.name) && !file.isEmbedded)
      report('prelude-conflict', name, `${wordFor(symbol.kind)} '${symbol.name}' conflicts with built-in prelude type`);
  }
  checkMain(file, report);
}

const isType = (kind: Kind): boolean =>
  kind === 'ClassDecl' || kind === 'EnumDecl' || kind === 'TraitDecl' || kind === 'ErrorDecl';

function checkWithOthers(program: Program, file: ProgramFile, symbol: DeclSymbol, report: ReportInFile): void {
  if (symbol.kind === 'TestDecl') return;
  const all = program.all(file, symbol.name);
  if (all.length < 2) return;
  const at = symbol.decl.name;
  const others = all.filter(other => other !== symbol && canShareProgram(program, symbol, other));
  const earlier = new Set(all.slice(0, all.indexOf(symbol)));
  const first = others.find(other => other.kind === symbol.kind && earlier.has(other));
  if (onlyOnce.has(symbol.kind) && first !== undefined) {
    if (symbol.kind !== 'ExternDecl')
      return report('name-duplicate', at, `${wordFor(symbol.kind)} '${symbol.name}' is already declared`);
    if (first.kind === 'ExternDecl' && !isSameExtern(program, symbol, first))
      report('extern-conflict', at, `conflicting extern fn signatures for '${symbol.name}'`);
  }
  for (const other of others) {
    const isExtern = symbol.kind === 'FunctionDecl' && other.kind === 'ExternDecl';
    if (isExtern) report('function-twice', at, `function '${symbol.name}' is defined as both fn and extern fn`);
    if (clashing.some(([first, second]) => other.kind === first && symbol.kind === second))
      report('name-clash', at, `'${symbol.name}' is already declared as ${withArticle(wordFor(other.kind))}`);
  }
}

/**
 * Whether two declarations of one folder can be in one program: not if both files have an entry point, and not if one of
 * the files is imported as a separate module.
 */
function canShareProgram(program: Program, a: DeclSymbol, b: DeclSymbol): boolean {
  if (a.file === b.file) return true;
  const first = program.fileOf(a);
  const second = program.fileOf(b);
  if (first.isImportedAlone || second.isImportedAlone || !first.sees(second) || !second.sees(first)) return false;
  return first.mayRunWith(second);
}

function checkMain({ symbols, items, isImported }: ProgramFile, report: ReportInFile): void {
  for (const symbol of symbols.values())
    if (symbol.kind === 'FunctionDecl' && symbol.name === 'main' && !isImported)
      for (const param of [...symbol.decl.params, ...symbol.decl.typeParams]
        .filter(({ name }) => name.text !== '')
        .slice(0, 1))
        report('main-malformed', param, "'main' must not have parameters: read input with std.io or std.env");
  const entry = items.find(({ kind }) => kind === 'AppDecl' || kind === 'StageDecl');
  if (entry === undefined) return;
  const word = entry.kind === 'AppDecl' ? 'an app' : 'a stage';
  for (const symbol of symbols.values())
    if (symbol.kind === 'FunctionDecl' && symbol.name === 'main')
      report('app-and-main', symbol.decl.name, `cannot have both ${word} and a top-level main function`);
}
