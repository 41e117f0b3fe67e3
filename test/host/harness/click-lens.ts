import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/** Clicks a CodeLens. Retries, because Monaco recreates its lenses during layout. */
export async function clickLens(lens: Locator): Promise<void> {
  await until('the click on a CodeLens', 20_000, async () => {
    await lens.waitFor();
    await lens.click({ force: true, timeout: 2_000 });
    return true as const;
  });
}
