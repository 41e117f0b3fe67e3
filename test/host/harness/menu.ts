import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/**
 * Opens a menu of VS Code and chooses an item. VS Code ignores a click in the first 100 ms of a menu, and closes a menu when the size of the
 * window changes.
 *
 * @param open opens the menu, if it is not open
 */
export const chooseFromMenu = (item: Locator, open: () => Promise<void>): Promise<true> =>
  until<true>('the choice from the menu', 30_000, async () => {
    if (!(await item.isVisible())) await open();
    await item.click({ timeout: 3_000 });
    // An ignored click leaves the menu open.
    await item.waitFor({ state: 'hidden', timeout: 2_000 });
    return true;
  });
