import { axeFindings } from '../../../scripts/review-page/review-page.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from './until.ts';

export type Choice = 'push' | 'pull' | 'skip';

/** The review page, operated like a user does. */
export interface ReviewPage {
  readonly frame: FrameLocator;
  /** Waits until the list of changes of an open review is shown. */
  shown(): Promise<void>;
  /** Chooses for the change at that path (`ReplicatedStorage/Shared/Config/Shop`). */
  choose(path: string, choice: Choice): Promise<void>;
  /** The selected choice, or `undefined`. */
  chosen(path: string): Promise<string | undefined>;
  canApply(): Promise<boolean>;
  /** Walks through all lines with the arrow keys. Resolves with their accessible labels, in the order of the keys. */
  walk(): Promise<readonly string[]>;
  /** The violations that axe-core reports. */
  findings(): Promise<readonly string[]>;
  apply(): Promise<void>;
  reject(): Promise<void>;
  /** Opens both texts of a change in VS Code's diff editor. */
  openDiff(path: string): Promise<void>;
}

/** A webview of VS Code is an iframe in an iframe. */
export function reviewPage(page: Page): ReviewPage {
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  // The label of an undecided change ends with "(undecided)".
  const group = (path: string): Locator =>
    frame.locator(`[aria-label="Choice for ${path}"], [aria-label^="Choice for ${path} ("]`);
  const applyButton = frame.getByRole('button', { name: /^Apply/ });
  return {
    frame,
    // The page of an ended review keeps its choices, disabled, until the next review is shown.
    shown: () => frame.locator('[role="radiogroup"][aria-disabled="false"]').first().waitFor(),
    async choose(path, choice) {
      const option = group(path).locator(`label:has(input[value="${choice}"])`);
      await option.click();
      await group(path).locator(`input[value="${choice}"]:checked`).waitFor({ state: 'attached' });
    },
    async chosen(path) {
      // A page that is still loading has no choices, which is not the same as undecided.
      await group(path).waitFor({ state: 'attached' });
      // Read in one step, because the choice can change at any time.
      const values = await group(path)
        .locator('input:checked')
        .evaluateAll(inputs => inputs.map(input => (input as unknown as { value: string }).value));
      return values[0];
    },
    async walk() {
      const lines = frame.locator('.lines [role="row"]');
      await lines.first().focus();
      await lines.first().press('Home');
      const focused = lines.and(frame.locator(':focus'));
      const walked: string[] = [];
      for (let step = await lines.count(); step > 0; step--) {
        walked.push((await focused.getAttribute('aria-label')) ?? '');
        await focused.press('ArrowDown');
      }
      return walked;
    },
    async findings() {
      const body = await frame.locator('body').elementHandle();
      const inner = await body?.ownerFrame();
      if (inner == null) throw new Error('the review is not shown');
      return axeFindings(inner);
    },
    canApply: () => applyButton.isEnabled(),
    apply: () => applyButton.click(),
    async reject() {
      const button = frame.getByRole('button', { name: /^Reject/ });
      await button.click();
      // The review refuses the decision if it changed a moment before, and a person presses again.
      await until('the end of the review', 30_000, async () => {
        if (!(await button.isVisible())) return true;
        await delay(500);
        if (await button.isEnabled({ timeout: 1_000 })) await button.click();
        return undefined;
      });
    },
    async openDiff(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      await frame.locator(`[role="row"][aria-label*=" ${name} "] .name`).click();
      await frame.getByRole('button', { name: /Diff/ }).click();
    },
  };
}
