import { randomBytes } from 'node:crypto';
import type { SecretStorage } from 'vscode';

const key = 'atlas.mcpToken';

/** The bearer token of this machine's MCP endpoint: 256 random bits, made on first use, kept where VS Code keeps secrets. */
export async function loadOrCreateToken(secrets: Pick<SecretStorage, 'get' | 'store'>): Promise<string> {
  const known = await secrets.get(key);
  if (known !== undefined && /^[\w-]{43}$/.test(known)) return known;
  const token = randomBytes(32).toString('base64url');
  await secrets.store(key, token);
  return token;
}

/** The token that the bridge of this window asks for. */
export interface BridgeToken {
  /** For a bridge that is about to start: as VS Code keeps it now, since it may have been removed. */
  renew(): Promise<string>;
  /** For who wants to reach the bridge. A failure is not kept: the next who asks reads again. */
  current(): Promise<string>;
}

/** @param onRead hears each token that was read, so that it can be kept out of the log */
export function createBridgeToken(load: () => Promise<string>, onRead: (token: string) => void): BridgeToken {
  let token: string | undefined;
  const renew = async (): Promise<string> => {
    token = await load();
    onRead(token);
    return token;
  };
  return { renew, current: async () => token ?? renew() };
}

/** The next bridge makes a new one; agents that hold the old one are shut out. */
export async function forgetToken(secrets: Pick<SecretStorage, 'delete'>): Promise<void> {
  await secrets.delete(key);
}
