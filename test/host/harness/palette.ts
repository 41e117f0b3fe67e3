import type { Page } from 'playwright-core';
import { until } from './until.ts';

/**
 * Runs a command from the palette: F1, its name, Enter. Uses Enter instead of a click, because the list is filtered while the name is typed
 * and its rows move.
 *
 * @param title with its category: `Atlas Bridge: Sync (Dry Run)`
 */
export async function runFromPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await input.waitFor();
  await until(`${title} in the palette`, 30_000, async () => {
    // A slow palette sets its prefix after it becomes visible.
    if ((await input.inputValue()) !== `>${title}`) await input.fill(`>${title}`);
    const marked = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    try {
      await marked.waitFor({ timeout: 3_000 });
      return true as const;
    } catch {
      // In a new window the palette lists only the commands registered so far; typing refreshes the list.
      await input.fill('>');
      return undefined;
    }
  });
  await page.keyboard.press('Enter');
}
