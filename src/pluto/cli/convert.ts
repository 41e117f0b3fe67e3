import { resolve } from 'node:path';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { AppError } from '../../base/errors.ts';
import { isContainer } from '../language/container/byte-sections.ts';
import { readContainer, writeContainer } from '../language/container/container.ts';
import { carryIds } from '../language/identity/carry-ids.ts';
import { freshIds } from '../language/identity/ids.ts';
import { decodeTextModule } from '../language/modules/load-module.ts';
import { moduleName } from '../language/modules/module-name.ts';
import { printModule } from '../language/print/print-declaration.ts';
import { readView, writeView } from '../language/pt/view.ts';
import { withModule } from '../session/changed-module.ts';
import { problemsOf } from '../session/edits/snippet.ts';
import { readCurrentFile } from '../session/views/view-files.ts';
import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import { parseModule } from '../language/syntax/parse.ts';
import type { CliIo } from '../../cli/io.ts';
import { openCommandJournal } from '../../cli/open-journal.ts';
import { reportRecorded } from '../../cli/report-recorded.ts';
import { fileOrStandardOutput, writeCommandOutput } from '../../cli/write-command-output.ts';
import type { PlutoTarget } from './open-session.ts';
import type { PlutoArgs } from './pluto-args.ts';
import type { PlutoAnswer } from './pluto-answer.ts';

/** One file: a container, a text module or a view. */
interface ReadFile extends Awaited<ReturnType<typeof readCurrentFile>> {
  readonly isContainer: boolean;
  readonly module: ParsedModule;
}

/** @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE, PLUTO_SOURCE_INVALID */
async function readFile({ session, path }: PlutoTarget): Promise<ReadFile> {
  const file = await readCurrentFile(session, path);
  if (file.bytes === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  if (isContainer(file.bytes)) {
    return { ...file, isContainer: true, module: moduleOfContainer(path, file.bytes) };
  }
  const text = decodeTextModule(file.bytes);
  if (!text.ok)
    throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: text.error.code, reason: text.error.reason });
  const module = parseModule(text.value);
  refuseBroken(path, module);
  return { ...file, isContainer: false, module };
}

/** @throws AppError PLUTO_SOURCE_INVALID */
function refuseBroken(path: string, module: ParsedModule): void {
  const problems = problemsOf(module);
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: path, problems });
}

/** The answer of a command that prints a text instead of writing a file. */
export const sourceText = (text: string): PlutoAnswer => ({
  isDone: true,
  json: { success: true, source: text },
  outputLines: [text.replace(/\n$/, '')],
  isProgramOutput: true,
});

/** `fmt` */
export async function format(target: PlutoTarget, { write }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session, path } = target;
  const file = await readFile(target);
  // The canonical source would lack the parts that do not parse.
  refuseBroken(path, file.module);
  const text = printModule(file.module);
  if (!write) return sourceText(text);
  const isChanged = text !== file.module.text;
  if (isChanged && file.isContainer) {
    const before = await session.module(path);
    const after = parseModule(text);
    carryIds({ before: before.module, after, makeId: session.idsFor(path) });
    await session.transact('fmt', io.stop, () => ({ modules: [withModule(before, after)] }));
    const [saved] = await session.save(io.stop);
    if (saved?.kind === 'failed') throw saved.error;
  } else if (isChanged) await replaceText(target, text, file, io);
  const outputLines = [`${target.displayPath(path)}: ${isChanged ? 'written' : 'already canonical'}`];
  return { isDone: true, json: { success: true, path, changed: isChanged }, outputLines };
}

/** Replaces a text module, and records it first. */
async function replaceText(
  { session, path, folder }: PlutoTarget,
  text: string,
  { bytes, precondition }: ReadFile,
  io: CliIo,
): Promise<void> {
  const { recordFile } = await openCommandJournal(folder, io);
  const content = new TextEncoder().encode(text);
  if (bytes !== undefined) {
    const runId = await recordFile({ path, bytes, content, requestedBy: 'pluto fmt' });
    reportRecorded(`the previous ${path}`, runId, folder, io);
  }
  await session.ports.files.replace(path, content, precondition);
}

/**
 * `generate-pt -o`: writes the source of one module with its ids and without the line of its origin, so that equal modules have equal
 * texts. A text file is copied even if it does not parse, because `git diff` converts every revision.
 */
export async function writeText({ session, path, folder }: PlutoTarget, to: string, io: CliIo): Promise<PlutoAnswer> {
  const { bytes } = await readCurrentFile(session, path);
  if (bytes === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  const text = isContainer(bytes) ? writeView(moduleOfContainer(path, bytes)) : new TextDecoder().decode(bytes);
  if (fileOrStandardOutput(to) === undefined) return sourceText(text);
  const output = { folder, file: resolve(io.cwd, to), command: 'pluto generate-pt' };
  await writeCommandOutput(output, new TextEncoder().encode(text), io);
  return { isDone: true, json: { success: true, output: resolve(io.cwd, to) }, outputLines: [to] };
}

function moduleOfContainer(path: string, bytes: Uint8Array): ParsedModule {
  const read = readContainer(bytes, nodeHasher);
  if (read.ok) return read.value.module;
  throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: read.error.code, reason: read.error.reason });
}

/** `emit-ast`: writes a container of the file, with its ids. */
export async function emitAst(target: PlutoTarget, { output }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session, path, folder, displayPath } = target;
  const file = await readFile(target);
  const to = output === undefined ? resolve(folder, path.replace(/\.\w+$/, '.plto')) : resolve(io.cwd, output);
  let bytes = file.bytes ?? new Uint8Array();
  if (!file.isContainer) {
    const { module, hints } = readView(file.module.text);
    carryIds({ before: undefined, after: module, makeId: freshIds(nodeRandom), hints });
    const meta = { ...session.newMeta(moduleName(path)), revision: 1 };
    bytes = writeContainer({ meta, module, optional: [] }, nodeHasher);
  }
  await writeCommandOutput({ folder, file: to, command: 'pluto emit-ast' }, bytes, io);
  return { isDone: true, json: { success: true, output: to, bytes: bytes.length }, outputLines: [displayPath(to)] };
}
