import { readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { createJsonStudioKeys, studioKeysFile } from '../../src/adapters/node/json-studio-keys.ts';
import { userStateFolder } from '../../src/adapters/node/state-folder.ts';
import { startGroup } from '../set-up/process-group.ts';

export const cli = resolve(fileURLToPath(import.meta.url), '../../../dist/cli.js');

async function copyStudioKeys(to: string): Promise<void> {
  const file = studioKeysFile(userStateFolder(process.env));
  // Creates the keys on first use.
  await createJsonStudioKeys(file).read();
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyFile(file, studioKeysFile(to));
}

/** The bridge without VS Code: `atlas-bridge serve` in a separate process. */
export interface BridgeProcess extends AsyncDisposable {
  readonly studioUrl: string;
  readonly mcpUrl: string;
  readonly token: string;
}

const Served = z.object({ studioUrl: z.string(), mcpUrl: z.string(), tokenFile: z.string() });

/**
 * `state`: folder for the token and the journal, instead of the user's state folder; the keys of Studio are the user's, so that one Studio
 * also connects to VS Code. `port`: preferred port; 0 = any. `nodeArgs`: options of Node.
 */
export async function startBridge(
  project: string,
  state: string,
  port: number,
  nodeArgs: readonly string[] = [],
): Promise<BridgeProcess> {
  const home = join(state, 'state');
  await copyStudioKeys(join(home, 'atlas-bridge'));
  const group = startGroup(process.execPath, [...nodeArgs, cli, 'serve', project, '--port', String(port), '--json'], {
    env: { ...process.env, XDG_STATE_HOME: home, ATLAS_BRIDGE_LOG: 'warn' },
  });
  try {
    const [line = ''] = await group.printed(/^\{.*\}$/m, 20_000);
    const { studioUrl, mcpUrl, tokenFile } = Served.parse(JSON.parse(line));
    const token = readFileSync(tokenFile, 'utf8').trim();
    return { studioUrl, mcpUrl, token, [Symbol.asyncDispose]: () => group[Symbol.asyncDispose]() };
  } catch (error) {
    await group[Symbol.asyncDispose]();
    throw error;
  }
}
