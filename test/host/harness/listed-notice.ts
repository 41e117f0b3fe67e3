import type { Locator } from 'playwright-core';
import type { RunningVsCode } from './start-vscode.ts';
import { until } from './until.ts';

/**
 * Waits for a notification in the list of notifications. A toast hides after some seconds; the list keeps it. VS Code hides the list
 * whenever its last notification ends, so a progress that ends before the notification appears hides it too: the list is shown again.
 */
export async function listedNotice(
  { driver, page }: Pick<RunningVsCode, 'driver' | 'page'>,
  text: string | RegExp,
): Promise<Locator> {
  const listed = page.locator('.notifications-center .notification-list-item', { hasText: text });
  await until(`the notification ${text}`, 30_000, async () => {
    await driver.call('execute', { command: 'notifications.showList', args: [] });
    await listed.waitFor({ timeout: 3_000 });
    return true;
  });
  return listed;
}
