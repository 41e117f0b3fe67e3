import type { Page } from 'playwright-core';
import { until } from './until.ts';

const inputOf = (page: Page) => page.locator('.quick-input-widget:visible .quick-input-box input');

/** Presses Enter in the list or the input box that asks, also if something else has taken the focus meanwhile. */
export const pressEnterInPick = (page: Page): Promise<void> => inputOf(page).press('Enter');

/**
 * Runs a command from the palette: F1, its name, Enter. Uses Enter instead of a click, because the list is filtered while the name is typed
 * and its rows move.
 *
 * @param title with its category: `Atlas Bridge: Sync (Dry Run)`
 */
export async function runFromPalette(page: Page, title: string): Promise<void> {
  const input = inputOf(page);
  await until(`${title} in the palette`, 30_000, async () => {
    // A window that takes the focus closes the palette.
    if (!(await input.isVisible())) await page.keyboard.press('F1');
    try {
      await input.waitFor({ timeout: 3_000 });
      // A slow palette sets its prefix after it becomes visible.
      if ((await input.inputValue({ timeout: 1_000 })) !== `>${title}`)
        await input.fill(`>${title}`, { timeout: 1_000 });
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor({ timeout: 3_000 });
      return true as const;
    } catch {
      // In a new window the palette lists only the commands registered so far; typing refreshes the list.
      await input.fill('>', { timeout: 1_000 }).catch(() => undefined);
      return undefined;
    }
  });
  await pressEnterInPick(page);
}
