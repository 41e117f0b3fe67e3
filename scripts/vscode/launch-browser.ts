import { type Browser, chromium } from 'playwright-core';
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

/** Debian's Chromium, without a window. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), headless: true, args: quietArguments });
}
