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
  const all = page.locator('.notifications-center .notification-list-item');
  const listed = all.filter({ hasText: text });
  await until(`the notification ${text}`, 30_000, async () => {
    await driver.call('execute', { command: 'notifications.showList', args: [] });
    try {
      await listed.waitFor({ timeout: 3_000 });
    } catch (error) {
      throw new Error(`the list has: ${JSON.stringify(await all.allInnerTexts())}`, { cause: error });
    }
    return true;
  });
  return listed;
}
