import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { labelsWithIcons } from './spoken-labels.ts';
import { until } from './until.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Takes a picture of one part of the window, which ships with the walkthrough. `UPDATE_SCREENSHOTS=1` renews it. */
export async function walkthroughPicture(part: Locator, name: string): Promise<void> {
  // Nothing in the picture is highlighted because the pointer rests on it.
  await part.page().mouse.move(0, 0);
  const folder = process.env['UPDATE_SCREENSHOTS'] === '1' ? 'media/walkthrough' : 'out';
  await part.screenshot({ path: resolve(root, folder, `${name}.png`), animations: 'disabled' });
}

/** With `ATLAS_PICTURES=all`, each picture is also taken in these looks and widths. VS Code follows the system because of `systemLooks`. */
const takesAllLooks = process.env['ATLAS_PICTURES'] === 'all';
const looks = [
  { name: 'dark', workbench: 'vs-dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'high-contrast', workbench: 'hc-black', media: { colorScheme: 'dark', forcedColors: 'active' } },
  {
    name: 'high-contrast-light',
    workbench: 'hc-light',
    media: { colorScheme: 'light', forcedColors: 'active' },
  },
  { name: 'light', workbench: 'vs', media: { colorScheme: 'light', forcedColors: 'none' } },
] as const;

/** Settings that let VS Code follow the emulated colors of a picture. */
export const systemLooks: Readonly<Record<string, unknown>> = takesAllLooks
  ? { 'window.autoDetectColorScheme': true, 'window.autoDetectHighContrast': true }
  : {};

/** Settings that let VS Code use the theme of a test again, which would otherwise follow the emulated colors. */
export const ownTheme: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.keys(systemLooks).map(key => [key, false]),
);

/**
 * Takes a screenshot once the window is idle: animations have ended, and every webview has rendered. No label of a pictured window may
 * have the syntax of an icon.
 *
 * @param file relative to the repository: `out/host-doctor.png`
 */
export async function picture(page: Page, file: string): Promise<void> {
  await pictureAsShown(page, file);
  const size = page.viewportSize();
  if (!takesAllLooks || size === null) return;
  // The theme of a separate window is that of the window that opened it.
  const opener = await page.opener();
  for (const { name, workbench, media } of looks) {
    await opener?.emulateMedia(media);
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench.${workbench}`).waitFor({ timeout: 10_000 });
    for (const width of [1440, 700]) {
      await page.setViewportSize({ width, height: size.height });
      await takePicture(page, file.replace(/(\.png)$/, `-${name}-${width}$1`));
    }
    await page.setViewportSize(size);
  }
}

/** Takes the same picture in the look and width of the window only, for tests that choose these. */
export async function pictureAsShown(page: Page, file: string): Promise<void> {
  await takePicture(page, file);
  assert.deepEqual(await labelsWithIcons(page), [], file);
}

async function takePicture(page: Page, file: string): Promise<void> {
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
