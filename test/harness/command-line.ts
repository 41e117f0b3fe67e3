import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buildStudioPlugin } from '../../scripts/build-studio-plugin.ts';
import { runBuild } from '../../src/cli/build.ts';
import { type CliIo, createCliOutput } from '../../src/cli/io.ts';
import { runCommandLine } from '../../src/cli/main.ts';
import { runPlugin } from '../../src/cli/plugin.ts';

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TypeOptions {
  /** Absolute; state is kept in its folder `state`. */
  readonly cwd: string;
  /** Asked about the output so far; when it holds, the command is stopped as by Ctrl+C. */
  readonly until?: (out: string) => boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line in this process. The output is what a terminal gets, without the last line end. */
export const typeCommand = (args: readonly string[], options: TypeOptions): Promise<Typed> =>
  collectOutput(options, io => runCommandLine(args, io));

/** Runs `plugin` or `build` on a computer with Studio, whose plugin folder is `plugins` in the current folder. */
export function typeWithStudio([name, ...args]: readonly string[], options: TypeOptions): Promise<Typed> {
  const { cwd } = options;
  const studio = join(cwd, 'wine/drive_c/users/steamuser/AppData/Local/Roblox');
  mkdirSync(join(studio, 'Plugins'), { recursive: true });
  if (!existsSync(join(cwd, 'plugins'))) symlinkSync(join(studio, 'Plugins'), join(cwd, 'plugins'));
  const env = { WINEPREFIX: join(cwd, 'wine') };
  const machine = async () => ({ platform: 'linux', home: cwd, userName: 'steamuser', env });
  const plugin = async () => new TextEncoder().encode(await buildStudioPlugin());
  return collectOutput(options, io =>
    name === 'plugin' ? runPlugin(args, io, { machine, plugin }) : runBuild(args, io, machine),
  );
}

/** Runs a command and collects what it prints. */
async function collectOutput(
  { cwd, until, env = {} }: TypeOptions,
  run: (io: CliIo) => Promise<number>,
): Promise<Typed> {
  const stop = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const checking = setInterval(() => {
    if (until?.(printed(out)) === true) stop.abort();
  }, 10);
  const code = await run({
    ...createCliOutput(
      text => out.push(text),
      text => err.push(text),
    ),
    cwd,
    env: { XDG_STATE_HOME: join(cwd, 'state'), ...env },
    stop: stop.signal,
    version: '1.2.3',
  }).finally(() => clearInterval(checking));
  return { code, out: printed(out), err: printed(err) };
}

const printed = (texts: readonly string[]): string => texts.join('').replace(/\n$/, '');
