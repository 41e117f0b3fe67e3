import type { Page } from 'playwright-core';
import { until } from './until.ts';

/** Waits until a webview has loaded an image. @param alt the start of its description */
export async function shownImage(page: Page, alt: string): Promise<void> {
  await until<true>(`the image "${alt}"`, 30_000, async () => {
    for (const frame of page.frames()) {
      const image = frame.locator(`img[alt^="${alt}"]`);
      if ((await image.count()) === 0) continue;
      const width = await image.first().evaluate(one => (one as { readonly naturalWidth?: number }).naturalWidth);
      if ((width ?? 0) > 0) return true;
    }
    return undefined;
  });
}
