/** The composition root of the command line: everything that the extension can do to a project, without VS Code. */
import { AppError } from '../base/errors.ts';
import { type CliCommand, readArgs } from './args.ts';
import { type CliIo, createCliOutput, exitCodes } from './io.ts';
import { processTerminal } from './review/terminal.ts';
import { reportFailure, reportWrongUsage } from './report-failure.ts';
import { serveUsage, usage } from './usage.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';

/** Loads the Pluto language on first use, because few MCP clients need it. */
const loadToolset: LoadPlutoToolset = async () => {
  const { openToolset } = await import('../pluto/cli/pluto.ts');
  return openToolset;
};

/** Loads only the code of the command that runs, which keeps every command quick to start. */
async function run(command: CliCommand, io: CliIo): Promise<number> {
  switch (command.kind) {
    case 'help':
      io.out(command.command === 'serve' ? serveUsage : usage);
      return exitCodes.done;
    case 'version':
      io.out(io.version);
      return exitCodes.done;
    case 'serve': {
      const { runServe } = await import('./serve.ts');
      return runServe(command, io, loadToolset);
    }
    case 'build': {
      const { runBuild } = await import('./build.ts');
      return runBuild(command.args, io);
    }
    case 'syncback': {
      const { runSyncback } = await import('./syncback.ts');
      return runSyncback(command.args, io);
    }
    case 'sourcemap': {
      const { runSourcemap } = await import('./sourcemap.ts');
      return runSourcemap(command.args, io);
    }
    case 'mcp': {
      const { runMcp } = await import('./mcp/mcp.ts');
      return runMcp(command.args, io, loadToolset);
    }
    case 'pluto': {
      const { runPluto } = await import('../pluto/cli/pluto.ts');
      return runPluto(command.args, io);
    }
    case 'sync': {
      const { runSyncCommand } = await import('./sync.ts');
      return runSyncCommand(command.args, io, loadToolset);
    }
    case 'restore': {
      const { runRestore } = await import('./restore.ts');
      return runRestore(command.args, io);
    }
    case 'headless': {
      const { runHeadless } = await import('./headless/headless.ts');
      return runHeadless(command.args, io);
    }
  }
}

/** Runs the command that `args` name. Resolves with the exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  const stop = new AbortController();
  // The first signal lets the command finish cleanly. `once`: the second one ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const io: CliIo = {
    ...createCliOutput(
      text => process.stdout.write(text),
      text => process.stderr.write(text),
    ),
    cwd: process.cwd(),
    env: process.env,
    stop: stop.signal,
    terminal: processTerminal(process.stdin, process.stderr, process.env),
    version,
  };
  const command = readArgs(args);
  if (!command.ok) {
    return reportWrongUsage(command.error, args[0] === 'serve' ? 'serve' : undefined, io);
  }
  try {
    return await run(command.value, io);
  } catch (error) {
    const failure = AppError.from(error);
    reportFailure(failure, io);
    if (failure.code === 'INTERNAL' && error instanceof Error && error.stack !== undefined) io.err(error.stack);
    return exitCodes.failed;
  }
}
