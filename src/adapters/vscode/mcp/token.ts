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

/** The next bridge makes a new one; agents that hold the old one are shut out. */
export async function forgetToken(secrets: Pick<SecretStorage, 'delete'>): Promise<void> {
  await secrets.delete(key);
}
