import type { Decl, Module, TestDecl } from './ast/decl.ts';
import type { SyntaxReport } from './report.ts';

type Kind = Decl['kind'];

const words: Partial<Record<Kind, string>> = {
  AppDecl: 'app',
  StageDecl: 'stage',
  SystemDecl: 'system',
  TestsDecl: 'tests',
};
const incompatible: readonly (readonly [Kind, Kind])[] = [
  ['SystemDecl', 'AppDecl'],
  ['TestsDecl', 'AppDecl'],
  ['TestsDecl', 'SystemDecl'],
  ['StageDecl', 'AppDecl'],
  ['StageDecl', 'SystemDecl'],
];

/** Checks which declarations one file may contain together. */
export function checkFile({ items }: Module, report: SyntaxReport): void {
  const first = new Map<Kind, Decl>();
  const titles = new Set<string>();
  for (const item of items) {
    const { kind } = item;
    if (kind !== 'TestDecl' && words[kind] === undefined) continue;
    if ((kind === 'AppDecl' || kind === 'SystemDecl') && first.has(kind))
      report.error('declaration-duplicate', item, `duplicate ${words[kind]} declaration: a file can have only one`);
    for (const [a, b] of incompatible) {
      const other = kind === a ? b : kind === b ? a : undefined;
      if (other === undefined || !first.has(other) || first.has(kind)) continue;
      report.error(
        'declarations-incompatible',
        item,
        `a file cannot contain both ${words[a]} and ${words[b]} declarations`,
      );
    }
    const mixes = kind === 'TestsDecl' ? first.has('TestDecl') || first.has('TestsDecl') : first.has('TestsDecl');
    if (mixes && (kind === 'TestsDecl' || kind === 'TestDecl'))
      report.error(
        'tests-mixed',
        item,
        "cannot mix bare 'test' blocks with a tests[…] block, or have two tests[…] blocks",
      );
    if (!first.has(kind)) first.set(kind, item);
    if (kind === 'TestDecl') checkTitle(item, titles, report);
    if (kind === 'TestsDecl') for (const test of item.tests) checkTitle(test, titles, report);
  }
}

function checkTitle({ title }: TestDecl, seen: Set<string>, report: SyntaxReport): void {
  if (seen.has(title.value) && title.end > title.start)
    report.error('test-name-duplicate', title, `duplicate test name ${title.raw}`);
  seen.add(title.value);
}
