import type { Page } from 'playwright-core';
import { ACTION_TIMEOUT_MS, type RunningVsCode } from './start-vscode.ts';

/** Ends the window without a word to its extension host, which runs on, and opens the workspace in a new one. */
export async function replaceLostWindow({ page }: RunningVsCode): Promise<Page> {
  const url = page.url();
  const crashed = page.waitForEvent('crash');
  const devTools = await page.context().newCDPSession(page);
  // A page that has crashed does not answer.
  devTools.send('Page.crash').catch(() => undefined);
  await crashed;
  const next = await page.context().newPage();
  next.setDefaultTimeout(ACTION_TIMEOUT_MS);
  await next.goto(url);
  return next;
}
