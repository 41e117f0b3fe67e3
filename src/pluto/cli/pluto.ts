import type { CliIo } from '../../cli/io.ts';
import { executePluto, type PlutoCode } from './execute.ts';
import type { PlutoArgs } from './pluto-args.ts';
import type { ProgramCode } from './run.ts';

const programCode: ProgramCode = {
  loadHere: async () => (await import('../program/host/run-short-program.ts')).runShortProgram,
  loadInThread: async () => (await import('../program/host/run-with-streams.ts')).runWithStreams,
};

/** Loads only the code of the command that runs: all of it takes longer to load than a short program takes to run. */
const commands: Readonly<Record<PlutoArgs['command'], () => ReturnType<PlutoCode['loadCommand']>>> = {
  check: async () => (await import('./check.ts')).checkModules,
  run: async () => {
    const { runFile } = await import('./run.ts');
    return (target, args, io) => runFile(target, args, io, programCode);
  },
  test: async () => (await import('./programs.ts')).testFile,
  compile: async () => (await import('./programs.ts')).compileFile,
  analyze: async () => (await import('./check.ts')).analyzeFile,
  'generate-pt': async () => (await import('./views.ts')).generateViews,
  sync: async () => (await import('./views.ts')).syncFile,
  migrate: async () => (await import('./views.ts')).migrate,
  'emit-ast': async () => (await import('./convert.ts')).emitAst,
  fmt: async () => (await import('./convert.ts')).format,
};

const loadJournal = async () => (await import('../../cli/open-journal.ts')).openCommandJournal;

/** Runs `atlas-bridge pluto …`. Resolves with the exit code. */
export const runPluto = (args: readonly string[], io: CliIo): Promise<number> =>
  executePluto(args, io, { loadCommand: name => commands[name](), loadJournal });
