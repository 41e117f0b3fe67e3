import type { FileDiagnostic } from '../language/check/report/answers.ts';
import type { Diagnostic, Severity } from '../language/syntax/ast/diagnostic.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { PlutoSession } from './pluto-session.ts';
import { linesOf } from './sites.ts';

/** A finding as it leaves the process. */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  /** UTF-8 bytes of the module's text. */
  readonly span: { readonly start: number; readonly end: number };
  /** Counted from 1, in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

function findingOf(module: LoadedModule, { severity, code, message, span }: Diagnostic): Finding {
  const lines = linesOf(module);
  return {
    severity,
    code,
    message,
    file: module.path,
    span: lines.toByteSpan(span),
    ...lines.position(span.start),
  };
}

/** Everything that is wrong with the project, or with some of its modules; modules that cannot be read, too. */
export async function findingsOf(
  session: PlutoSession,
  signal: AbortSignal,
  only?: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  const modules = await session.modules(signal);
  return asFindings(
    modules,
    session.checker.check().filter(({ file }) => only === undefined || only.has(file)),
  );
}

/** @param modules those whose places are told */
export function asFindings(
  modules: readonly LoadedModule[],
  diagnostics: readonly FileDiagnostic[],
): readonly Finding[] {
  const byPath = new Map<string, LoadedModule>(modules.map(module => [module.path, module]));
  return diagnostics.map(one => {
    const module = byPath.get(one.file);
    return module === undefined ? withoutText(one) : findingOf(module, one);
  });
}

/** Of a module that cannot be read, or a manifest. */
const withoutText = ({ file, severity, code, message }: FileDiagnostic): Finding => ({
  severity,
  code,
  message,
  file,
  span: { start: 0, end: 0 },
  line: 1,
  column: 1,
});

/** A finding without its place, which every edit above it moves. */
const findingKey = ({ file, code, message }: Finding): string => `${file}\n${code}\n${message}`;

/** What is wrong with some modules, and what is wrong elsewhere and was not before. */
export function afterEdit(
  before: readonly Finding[],
  after: readonly Finding[],
  changed: readonly string[],
): readonly Finding[] {
  const known = new Set(before.map(findingKey));
  return after.filter(one => changed.includes(one.file) || !known.has(findingKey(one)));
}
