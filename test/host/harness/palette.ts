import type { Page } from 'playwright-core';

/**
 * Runs a command as a person does: F1, its name, Enter. The list of all commands is there before the name narrows it, so a row may be another
 * one by the time that it is clicked; the row that Enter takes is the marked one.
 *
 * @param title with its category: `Atlas: Sync (Dry Run)`
 */
export async function runFromPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible .quick-input-box input').fill(`>${title}`);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
  await page.keyboard.press('Enter');
}
