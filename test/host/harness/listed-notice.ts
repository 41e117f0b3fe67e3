import type { Locator } from 'playwright-core';
import type { RunningVsCode } from './start-vscode.ts';

/** Waits for a notification in the list of notifications. A toast hides after some seconds; the list keeps it. */
export async function listedNotice(
  { driver, page }: Pick<RunningVsCode, 'driver' | 'page'>,
  text: string | RegExp,
): Promise<Locator> {
  await driver.call('execute', { command: 'notifications.showList', args: [] });
  const listed = page.locator('.notifications-center .notification-list-item', { hasText: text });
  await listed.waitFor();
  return listed;
}
