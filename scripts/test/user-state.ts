import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Number of state files that a failure names. */
const MAX_NAMED = 5;

/**
 * Runs `tests` with a state folder of the user that none of them may use: they have their own, so that they change nothing of the person who
 * runs them, and nothing of each other. `changed` names some of what is in it afterwards.
 */
export async function withoutUserState<T>(
  tests: () => Promise<T>,
): Promise<{ readonly result: T; readonly changed: readonly string[] }> {
  const before = process.env['XDG_STATE_HOME'];
  const home = mkdtempSync(join(tmpdir(), 'atlas-user-'));
  process.env['XDG_STATE_HOME'] = home;
  try {
    const result = await tests();
    const changed = globSync('atlas-bridge/*', { cwd: home }).map(path => basename(path));
    return { result, changed: changed.sort().slice(0, MAX_NAMED) };
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    rmSync(home, { recursive: true, force: true });
  }
}
