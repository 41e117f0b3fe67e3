import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { startGroup } from '../set-up/process-group.ts';

export const cli = resolve(fileURLToPath(import.meta.url), '../../../dist/cli.js');

/** The bridge without VS Code: `atlas-bridge serve` in a separate process. */
export interface BridgeProcess extends AsyncDisposable {
  readonly studioUrl: string;
  readonly mcpUrl: string;
  readonly token: string;
}

const Served = z.object({ studioUrl: z.string(), mcpUrl: z.string(), tokenFile: z.string() });

/** `state`: folder for the token and the journal, instead of the user's state folder. `port`: preferred port; 0 = any. */
export async function startBridge(project: string, state: string, port: number): Promise<BridgeProcess> {
  const group = startGroup(process.execPath, [cli, 'serve', project, '--port', String(port), '--json'], {
    env: { ...process.env, XDG_STATE_HOME: join(state, 'state'), ATLAS_BRIDGE_LOG: 'warn' },
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
