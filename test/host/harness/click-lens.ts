import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/**
 * Clicks a CodeLens once it keeps its position and nothing covers it. Retries, because Monaco recreates its lenses during layout, and a
 * click at an old position would press the lens beside it.
 */
export async function clickLens(lens: Locator): Promise<void> {
  let last = '';
  await until('the click on a CodeLens', 20_000, async () => {
    await lens.waitFor();
    const { x, y, width, height } = (await lens.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const isAtRest = last === [x, y, width, height].join();
    last = [x, y, width, height].join();
    if (!isAtRest || !(await lens.evaluate(isOnTop, { x: x + width / 2, y: y + height / 2 }))) return undefined;
    await lens.click({ force: true, timeout: 10_000 });
    return true as const;
  });
}

/** Runs in the page. */
function isOnTop(element: unknown, at: { readonly x: number; readonly y: number }): boolean {
  const { document } = globalThis as unknown as { document: { elementFromPoint(x: number, y: number): unknown } };
  const found = document.elementFromPoint(at.x, at.y);
  return found !== null && (element as { contains(other: unknown): boolean }).contains(found);
}
