import type { ProjectPath } from '../../base/brand.ts';
import { analyzeModule } from '../session/analyze.ts';
import { withModule } from '../session/changed-module.ts';
import { findingsOf, brokenImportsOf } from '../session/findings.ts';
import { modulePathOf } from '../session/views/view-files.ts';
import { carryIds } from '../language/identity/carry-ids.ts';
import { hintsOf } from '../language/identity/hints.ts';
import { parseModule } from '../language/syntax/parse.ts';
import { counted } from '../../base/plural.ts';
import { hasErrors } from '../tools/shapes.ts';
import type { CliIo } from '../../cli/io.ts';
import { noModules, type PlutoTarget } from './open-session.ts';
import type { PlutoArgs } from './pluto-args.ts';
import type { PlutoAnswer } from './pluto-answer.ts';

/** `check`: reports the findings of the project, or of one file and of imports that do not parse. */
export async function checkModules(target: PlutoTarget, _args: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session, path, isFolder } = target;
  const shownAs = new Map<string, string>();
  if (!isFolder && target.modules.length === 0) shownAs.set(await showView(target, io), path);
  const only: readonly string[] = isFolder ? target.modules : [...target.modules, ...shownAs.keys()];
  const all = await findingsOf(session, io.stop);
  const broken = isFolder ? new Set<string>() : await brokenImportsOf(session, only);
  const found =
    path === ''
      ? all
      : all.filter(({ file, severity }) => only.includes(file) || (severity === 'error' && broken.has(file)));
  const findings = found.map(one => ({ ...one, file: shownAs.get(one.file) ?? one.file }));
  const success = !hasErrors(findings);
  return { isDone: success, json: { success, diagnostics: [] }, outputLines: noModules(target), findings };
}

/** Replaces a module by its view, in memory. @throws AppError PLUTO_MODULE_NOT_FOUND */
async function showView({ session, path }: PlutoTarget, io: CliIo): Promise<ProjectPath> {
  const before = await session.module(path.endsWith('.pt') ? modulePathOf(path) : path);
  const module = parseModule(new TextDecoder().decode(await session.ports.files.read(path)));
  carryIds({
    before: before.module,
    after: module,
    makeId: session.idsFor(before.path),
    hints: hintsOf(module),
  });
  await session.transact('check', io.stop, () => ({ modules: [withModule(before, module)] }));
  return before.path;
}

/** `analyze`: writes the container if the module has no errors. */
export async function analyzeFile(
  { session, path, displayPath }: PlutoTarget,
  _args: PlutoArgs,
  io: CliIo,
): Promise<PlutoAnswer> {
  const { findings, functions, errorSets } = await analyzeModule(session, path, io.stop);
  const success = !hasErrors(findings);
  const [saved] = success ? await session.save(io.stop) : [];
  if (saved?.kind === 'failed') throw saved.error;
  const stats = { functions_analyzed: functions, error_sets_computed: errorSets };
  const outputLines = success
    ? [`${displayPath(path)}: analyzed ${counted(functions, 'function')}, computed ${counted(errorSets, 'error set')}`]
    : [];
  return { isDone: success, json: { success, stats, diagnostics: [] }, outputLines, findings };
}
