import type { Page } from 'playwright-core';
import { until } from './until.ts';

/**
 * Runs a command as a person does: F1, its name, Enter. The list of all commands is there before the name narrows it, so a row may be another
 * one by the time that it is clicked; the row that Enter takes is the marked one.
 *
 * @param title with its category: `Atlas Bridge: Sync (Dry Run)`
 */
export async function runFromPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await input.waitFor();
  await until(`${title} in the palette`, 30_000, async () => {
    // A palette that is slow to open sets its own text after it can be seen.
    if ((await input.inputValue()) !== `>${title}`) await input.fill(`>${title}`);
    const marked = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
    try {
      await marked.waitFor({ timeout: 3_000 });
      return true as const;
    } catch {
      // In a window that has only just opened it lists the commands that are there by then, until something else is typed.
      await input.fill('>');
      return undefined;
    }
  });
  await page.keyboard.press('Enter');
}
