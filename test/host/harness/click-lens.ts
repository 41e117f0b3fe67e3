import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/** Clicks on a CodeLens. Monaco takes its lenses away and puts them elsewhere as long as it lays out, so what was there a moment ago may not be. */
export async function clickLens(lens: Locator): Promise<void> {
  await until('the click on a CodeLens', 20_000, async () => {
    await lens.waitFor();
    await lens.click({ force: true, timeout: 2_000 });
    return true as const;
  });
}
