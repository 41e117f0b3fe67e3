import type { FileDiagnostic } from '../language/check/report/answers.ts';
import { linesOf } from '../language/syntax/line-map.ts';
import type { Diagnostic, Severity } from '../language/syntax/ast/diagnostic.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { PlutoSession } from './pluto-session.ts';

/** A finding as agents and people see it. */
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
  const lines = linesOf(module.module);
  return {
    severity,
    code,
    message,
    file: module.path,
    span: lines.toByteSpan(span),
    ...lines.position(span.start),
  };
}

/** All findings of the project, or of the modules in `only`, including modules that cannot be read. */
export async function findingsOf(
  session: PlutoSession,
  signal: AbortSignal,
  only?: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  const modules = await session.modules(signal);
  return toFindings(
    modules,
    session.checker.check().filter(({ file }) => only === undefined || only.has(file)),
  );
}

/** The files with syntax errors, or that cannot be read, among those that modules import, directly or indirectly. */
export async function brokenImportsOf(session: PlutoSession, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const broken = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const state = await session.stateOf(path);
    if (!paths.includes(path) && (state?.kind !== 'loaded' || state.module.diagnostics.length > 0)) broken.add(path);
    const targets =
      state?.kind === 'loaded' ? session.importsOf(state).flatMap(({ target }) => target?.files ?? []) : [];
    waiting.push(...targets.filter(file => !found.has(file)));
    for (const file of targets) found.add(file);
  }
  return broken;
}

/** @param modules the sources that positions are computed from */
export function toFindings(
  modules: readonly LoadedModule[],
  diagnostics: readonly FileDiagnostic[],
): readonly Finding[] {
  const byPath = new Map<string, LoadedModule>(modules.map(module => [module.path, module]));
  return diagnostics.map(one => {
    const module = byPath.get(one.file);
    return module === undefined ? findingWithoutSource(one) : findingOf(module, one);
  });
}

/** A finding in a manifest or in a module that cannot be read. */
const findingWithoutSource = ({ file, severity, code, message }: FileDiagnostic): Finding => ({
  severity,
  code,
  message,
  file,
  span: { start: 0, end: 0 },
  line: 1,
  column: 1,
});

/** Identifies a finding without its position, which moves with every edit above it. */
const findingKey = ({ file, code, message }: Finding): string => `${file}\n${code}\n${message}`;

/** All findings in the changed modules, and new findings elsewhere. */
export function findingsAfterEdit(
  before: readonly Finding[],
  after: readonly Finding[],
  changed: readonly string[],
): readonly Finding[] {
  const known = new Set(before.map(findingKey));
  return after.filter(one => changed.includes(one.file) || !known.has(findingKey(one)));
}
