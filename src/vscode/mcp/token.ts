import { randomBytes } from 'node:crypto';
import type { SecretStorage } from 'vscode';

const key = 'atlas.mcpToken';

/** Loads the bearer token of this machine's MCP endpoint from VS Code's secret storage; creates one of 256 random bits on first use. */
export async function loadOrCreateToken(secrets: Pick<SecretStorage, 'get' | 'store'>): Promise<string> {
  const known = await secrets.get(key);
  if (known !== undefined && /^[\w-]{43}$/.test(known)) return known;
  const token = randomBytes(32).toString('base64url');
  await secrets.store(key, token);
  return token;
}

/** The token that the bridge of this window requires. */
export interface BridgeToken {
  /** Reads the secret again, because it may have been removed. Call before a bridge starts. */
  renew(): Promise<string>;
  /** Returns the token of the running bridge. A failed read is retried by the next call. */
  current(): Promise<string>;
}

/** @param onRead called with each token, to redact it in the log */
export function createBridgeToken(load: () => Promise<string>, onRead: (token: string) => void): BridgeToken {
  let token: string | undefined;
  const renew = async (): Promise<string> => {
    token = await load();
    onRead(token);
    return token;
  };
  return { renew, current: async () => token ?? renew() };
}

/** Deletes the token. The next bridge creates a new one, so agents with the old token are locked out. */
export async function forgetToken(secrets: Pick<SecretStorage, 'delete'>): Promise<void> {
  await secrets.delete(key);
}
