import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/**
 * Takes a screenshot once the window is idle: animations have ended, and every webview has rendered.
 *
 * @param file relative to the repository: `out/host-doctor.png`
 */
export async function picture(page: Page, file: string): Promise<void> {
  for (const webview of await page.locator('iframe.webview').all()) await drawn(webview);
  // Finish all animations.
  await page.screenshot({ path: resolve(root, file), animations: 'disabled' });
}

/** VS Code loads a webview in a second frame and swaps the frames when it is loaded. */
async function drawn(webview: Locator): Promise<void> {
  const inside = webview.contentFrame();
  await until<true>('a webview drawing its page', 15_000, async () => {
    if (!(await webview.isVisible()) || (await webview.count()) === 0) return true;
    if ((await inside.locator('iframe#pending-frame').count()) > 0) return undefined;
    const body = inside.locator('iframe#active-frame').contentFrame().locator('body');
    return (await body.innerText({ timeout: 1_000 })).trim() === '' ? undefined : true;
  });
}
