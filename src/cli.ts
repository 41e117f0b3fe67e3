/** The second composition root: everything that the extension can do to a project, without VS Code. */
import { readFile } from 'node:fs/promises';
import { AppError } from './base/errors.ts';
import { type CliCommand, readArgs } from './cli/args.ts';
import { type CliIo, exitCodes } from './cli/io.ts';
import { tellFailure } from './cli/tell-failure.ts';
import { usage } from './cli/usage.ts';
import type { LoadPluto } from './pluto/tools/pluto-slot.ts';

/** It brings a whole language along, which few clients of the MCP server ever ask for. */
const loadPluto: LoadPluto = async () => {
  const { createProgramRunner } = await import('./pluto/program/host/program-runner.ts');
  const { openPluto } = await import('./pluto/tools/open-pluto.ts');
  return (ports, options, signal) => {
    const programs = createProgramRunner({ folder: ports.files.root, environment: process.env, startedBy: 'agent' });
    return openPluto({ ...ports, programs }, options, signal);
  };
};

/** Each command is loaded when it is called: none waits for what others need. */
async function run(command: CliCommand, io: CliIo): Promise<number> {
  switch (command.kind) {
    case 'help':
      io.out(usage);
      return exitCodes.done;
    case 'version':
      io.out(io.version);
      return exitCodes.done;
    case 'serve': {
      const { runServe } = await import('./cli/serve.ts');
      return runServe(command, io, loadPluto);
    }
    case 'build': {
      const { runBuild } = await import('./cli/build.ts');
      return runBuild(command.args, io);
    }
    case 'syncback': {
      const { runSyncback } = await import('./cli/syncback.ts');
      return runSyncback(command.args, io);
    }
    case 'sourcemap': {
      const { runSourcemap } = await import('./cli/sourcemap.ts');
      return runSourcemap(command.args, io);
    }
    case 'mcp': {
      const { runMcp } = await import('./cli/mcp/mcp.ts');
      return runMcp(command.args, io, loadPluto);
    }
    case 'pluto': {
      const { runPluto } = await import('./pluto/cli/pluto.ts');
      return runPluto(command.args, io);
    }
    case 'sync': {
      const { runSyncCommand } = await import('./cli/sync.ts');
      return runSyncCommand(command.args, io);
    }
    case 'headless': {
      const { runHeadless } = await import('./cli/headless/headless.ts');
      return runHeadless(command.args, io);
    }
  }
}

async function main(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  // The first signal ends the command in order; with nobody listening, the second ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const io: CliIo = {
    out: line => void process.stdout.write(`${line}\n`),
    err: line => void process.stderr.write(`${line}\n`),
    cwd: process.cwd(),
    env: process.env,
    stop: stop.signal,
    version: await ownVersion(),
  };
  const command = readArgs(args);
  if (!command.ok) {
    io.err(`atlas-bridge: ${command.error}.\n\n${usage}`);
    return exitCodes.usage;
  }
  try {
    return await run(command.value, io);
  } catch (error) {
    const failure = AppError.from(error);
    tellFailure(failure, io);
    if (failure.code === 'INTERNAL' && error instanceof Error && error.stack !== undefined) io.err(error.stack);
    return exitCodes.failed;
  }
}

/** `package.json` lies one folder above, from the source as from the bundle. */
async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

process.exitCode = await main(process.argv.slice(2));
