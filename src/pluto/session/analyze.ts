import { AppError } from '../../base/errors.ts';
import { moduleName } from '../language/modules/module-name.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import { deriveSections } from './derived.ts';
import { type Finding, findingsOf } from './findings.ts';
import type { PlutoSession } from './pluto-session.ts';

export interface Analysis {
  readonly findings: readonly Finding[];
  readonly functions: number;
  readonly errorSets: number;
}

/**
 * Checks a module and everything that it imports, and stores the results in its container: in memory, like an edit, unless the session is
 * read-only or the module has errors.
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE
 */
export async function analyzeModule(session: PlutoSession, path: string, signal: AbortSignal): Promise<Analysis> {
  const wanted = await session.module(path);
  const modules = await session.modules(signal);
  const module = modules.find(one => one.path === wanted.path);
  if (module === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  const inputs = reachable(session, module, modules);
  const findings = await findingsOf(session, signal, new Set(inputs.map(one => one.path)));
  const derived = deriveSections(session, module, inputs, session.ports.hasher);
  const { functions, errorSets } = derived;
  const isClean = findings.every(({ severity }) => severity !== 'error');
  if (isClean && !session.isReadOnly && path.endsWith('.pluto') && !hasSections(module, derived.sections)) {
    const tags = new Set(derived.sections.map(({ tag }) => tag));
    const container = module.container ?? { meta: { ...session.newMeta(moduleName(module.path)) }, optional: [] };
    const optional = [...container.optional.filter(({ tag }) => !tags.has(tag)), ...derived.sections];
    const analyzed = { ...module, container: { ...container, optional } };
    // If the module was edited during the analysis, the results no longer apply.
    await session.transact('analyze', signal, now => ({ modules: now.includes(module) ? [analyzed] : [] }));
  }
  return { findings, functions, errorSets };
}

/** The module and every module that it imports, directly or indirectly. */
function reachable(
  session: PlutoSession,
  module: LoadedModule,
  modules: readonly LoadedModule[],
): readonly LoadedModule[] {
  const byPath = new Map(modules.map(one => [one.path, one]));
  const found = new Set<LoadedModule>([module]);
  for (const one of found)
    for (const { target } of session.importsOf(one))
      for (const file of target?.files ?? []) {
        const imported = byPath.get(file);
        if (imported !== undefined) found.add(imported);
      }
  return modules.filter(one => found.has(one));
}

function hasSections({ container }: LoadedModule, sections: ReturnType<typeof deriveSections>['sections']): boolean {
  return sections.every(({ tag, bytes }) => {
    const existing = container?.optional.find(section => section.tag === tag)?.bytes;
    return existing?.length === bytes.length && existing.every((byte, index) => byte === bytes[index]);
  });
}
