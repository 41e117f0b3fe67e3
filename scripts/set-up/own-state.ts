import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let isOwn = false;

/**
 * Gives this process, and every program that it starts, a separate state folder: tests that run at the same time would otherwise share the
 * keys of Studio, and change those of the person who runs them. Later calls do nothing.
 */
export function useOwnState(): void {
  if (isOwn) return;
  isOwn = true;
  const home = mkdtempSync(join(tmpdir(), 'atlas-state-'));
  process.env['XDG_STATE_HOME'] = home;
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
}
