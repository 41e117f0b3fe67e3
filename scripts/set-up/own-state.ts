import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let own: string | undefined;

/**
 * Gives this process, and every program that it starts, a separate state folder: tests that run at the same time would otherwise share the
 * keys of Studio, and change those of the person who runs them. Later calls do nothing.
 */
export function useOwnState(): void {
  if (own !== undefined) return;
  const home = mkdtempSync(join(tmpdir(), 'atlas-state-'));
  own = home;
  process.env['XDG_STATE_HOME'] = home;
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
}

/** Deletes the content of the separate state folder, for the next test file of this process. */
export function clearOwnState(): void {
  if (own === undefined) return;
  for (const name of readdirSync(own)) rmSync(join(own, name), { recursive: true, force: true });
}
