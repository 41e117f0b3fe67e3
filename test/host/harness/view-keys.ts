import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { viewFindings } from './view-findings.ts';

/** More lines than a view of a test has. */
const MAX_LINES = 30;

/**
 * Walks through the focused view with the arrow keys, and fails if a line cannot be reached, has no name of its kind, or breaks a rule of
 * axe-core.
 *
 * @param title of the view: `Changes`
 * @returns the accessible labels of its lines, in the order of the keys
 */
export async function walkView(page: Page, title: string): Promise<readonly string[]> {
  const pane = page.locator('.pane', { has: page.locator(`.pane-header[aria-label^="${title}"]`) });
  const lines = pane.locator('.monaco-list-row[role="treeitem"]');
  await lines.first().waitFor();
  await page.keyboard.press('Home');
  const walked: string[] = [];
  let last = '';
  for (let step = 0; step < MAX_LINES; step++) {
    const line = lines.and(page.locator('.focused'));
    const id = (await line.getAttribute('id')) ?? '';
    if (id === last) break;
    walked.push((await line.getAttribute('aria-label')) ?? '');
    last = id;
    await page.keyboard.press('ArrowDown');
  }
  assert.equal(walked.length, await lines.count(), walked.join('\n'));
  for (const label of walked) assert.match(label, /^(?!.*\$\().*\p{L}/u);
  assert.deepEqual(await viewFindings(page), []);
  return walked;
}

/**
 * Walks through the open list of choices with the arrow keys, and fails if a line has no name of its kind, or breaks a rule of axe-core.
 *
 * @returns the accessible labels of its lines, in the order of the keys
 */
export async function walkQuickPick(page: Page): Promise<readonly string[]> {
  const focused = page.locator('.quick-input-list .monaco-list-row.focused');
  const walked = new Map<string, string>();
  for (let step = 0; step < MAX_LINES; step++) {
    await page.keyboard.press('ArrowDown');
    const id = (await focused.getAttribute('id')) ?? '';
    // The list wraps around.
    if (walked.has(id)) break;
    walked.set(id, (await focused.getAttribute('aria-label')) ?? '');
  }
  for (const label of walked.values()) assert.match(label, /^(?!.*\$\().*\p{L}/u);
  assert.deepEqual(await pickFindings(page), []);
  return Array.from(walked.values());
}

/** Violations that axe-core finds in the open list of choices or input box. */
export async function pickFindings(page: Page): Promise<readonly string[]> {
  const found = await viewFindings(page, '.quick-input-widget');
  // VS Code builds the lines of its lists: with a level, and with buttons in the focused line.
  return found.filter(finding => !/^(?:aria-allowed-attr|nested-interactive): /.test(finding));
}
