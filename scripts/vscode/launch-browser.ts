import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { ensureChromium } from '../set-up/chromium.ts';

const quietArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise Chromium throttles covered webviews.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** For windows of VS Code, which live for a minute: V8's last compiler takes a tenth of their CPU time, and saves less. */
export const quickWindows: readonly string[] = ['--js-flags=--no-turbofan'];

/** Debian's Chromium, without a window. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    headless: true,
    args: [...quietArguments, ...more],
  });
}

const endAnimations = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; }');
  document.adoptedStyleSheets.push(sheet);
}`;

export const WINDOW_SIZE = { width: 1440, height: 860 };

/**
 * A context for windows of VS Code. Animations end at once: drawing endless ones takes a quarter of the CPU time of a test. The server does
 * not compress its 20 MB of scripts, which takes longer than to send them on one machine.
 */
export async function windowContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: WINDOW_SIZE,
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  });
  await context.addInitScript(endAnimations);
  return context;
}
