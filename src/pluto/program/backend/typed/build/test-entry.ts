import type { ProgramFile } from '../../../../language/check/program/program-file.ts';
import type { FileDiagnostic } from '../../../../language/check/report/answers.ts';
import type { Span } from '../../../../language/syntax/ast/span.ts';

/**
 * Findings that prevent a module from being compiled for its tests (rule M15): it has no tests, or contains an app, a stage or a
 * system. A `main` function is allowed and left out.
 */
export function testEntryFindings({ path, items }: ProgramFile): readonly FileDiagnostic[] {
  const found: FileDiagnostic[] = [];
  const report = (code: string, { start, end }: Span, message: string): void => {
    found.push({ file: path, severity: 'error', code, message, span: { start, end } });
  };
  const tests = items.flatMap(item =>
    item.kind === 'TestsDecl' ? item.tests : item.kind === 'TestDecl' ? [item] : [],
  );
  if (tests.length === 0) report('tests-missing', { start: 0, end: 0 }, `no tests found in ${path}`);
  for (const item of items) {
    if (item.kind !== 'AppDecl' && item.kind !== 'StageDecl') continue;
    const word = item.kind === 'AppDecl' ? 'an app' : 'a stage';
    report(
      'tests-with-program',
      item.name,
      `a module that is run for its tests should not contain ${word}: '${item.name.text}'`,
    );
  }
  return found;
}
