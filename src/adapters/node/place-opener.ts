import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, win32 } from 'node:path';
import type { OpenRequest, PlaceOpener } from '../../ports/place-opener.ts';
import { findOnPath } from './find-on-path.ts';
import { type RunQuietly, runQuietly } from './run-quietly.ts';

/** Starts a program that may run for long. Resolves with whether it started. `program` is absolute, as for `RunQuietly`. */
export type StartProgram = (program: string, args: readonly string[]) => Promise<boolean>;

/** Resolves with the absolute path of a program; `undefined` if there is none. */
export type FindProgram = (name: string) => Promise<string | undefined>;

const SCHEME = 'roblox-studio';

/** Creates an opener that uses the programs of a platform. @param platform a value of `process.platform` */
export function createPlaceOpener(
  platform: string,
  start: StartProgram = startDetached,
  run: RunQuietly = runQuietly,
  find: FindProgram = name => findProgram(platform, name),
): PlaceOpener {
  const open = async (target: string, folder: string): Promise<OpenRequest> => {
    const commands = {
      // Uses the rest of the command line as the file or address, so that no shell parses it.
      win32: ['rundll32.exe', 'url.dll,FileProtocolHandler', target],
      darwin: target.startsWith(`${SCHEME}:`) ? ['open', target] : ['open', '-a', 'RobloxStudio', target],
    };
    const known = platform === 'win32' || platform === 'darwin' ? commands[platform] : undefined;
    if (known === undefined) {
      // Installers of Studio for Wine register it for addresses of this scheme.
      const mime = await find('xdg-mime');
      const handler =
        mime === undefined ? undefined : await run(mime, ['query', 'default', `x-scheme-handler/${SCHEME}`], folder);
      if (handler === undefined || new TextDecoder().decode(handler).trim() === '') return 'noStudio';
    }
    const [name = '', ...args] = known ?? ['xdg-open', target];
    const program = await find(name);
    return program !== undefined && (await start(program, args)) ? 'asked' : 'failed';
  };
  return {
    openFile: file => open(file, dirname(file)),
    openPublished: ({ placeId, universeId }) =>
      open(`${SCHEME}:1+task:EditPlace+placeId:${placeId}+universeId:${universeId}`, '.'),
  };
}

async function findProgram(platform: string, name: string): Promise<string | undefined> {
  if (platform === 'win32') return win32.join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', name);
  return platform === 'darwin' ? `/usr/bin/${name}` : findOnPath(name, process.env['PATH']);
}

const startDetached: StartProgram = async (program, args) => {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
  child.unref();
  try {
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
};
