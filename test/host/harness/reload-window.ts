import type { RunningVsCode } from './start-vscode.ts';
import { until } from './until.ts';

/** Reloads like a person, and waits for the new window. A closed page may not have stored its open editors yet. */
export async function reloadWindow({ driver }: RunningVsCode): Promise<void> {
  const isThere = (): Promise<boolean> =>
    driver.call('version', {}).then(
      () => true,
      () => false,
    );
  driver.call('execute', { command: 'workbench.action.reloadWindow', args: [] }).catch(() => undefined);
  await until('the end of the window', 30_000, async () => ((await isThere()) ? undefined : true));
  await until('the new window', 60_000, async () => ((await isThere()) ? true : undefined));
}
