import type { FrameLocator, Locator, Page } from 'playwright-core';

export type Choice = 'push' | 'pull' | 'skip';

/** The review webview, as a person sees it: what can be clicked in it, and nothing else. */
export interface ReviewPage {
  readonly frame: FrameLocator;
  /** Resolves when the list of changes is shown. */
  shown(): Promise<void>;
  /** Chooses for the change at that path (`ReplicatedStorage/Shared/Config/Shop`). */
  choose(path: string, choice: Choice): Promise<void>;
  /** The choice that is marked, or `undefined`. */
  chosen(path: string): Promise<string | undefined>;
  canApply(): Promise<boolean>;
  apply(): Promise<void>;
  reject(): Promise<void>;
  /** Opens both texts of a change in VS Code's diff editor. */
  openDiff(path: string): Promise<void>;
}

/** VS Code puts a webview into an iframe in an iframe. */
export function reviewPage(page: Page): ReviewPage {
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  // An undecided change says so in parentheses.
  const group = (path: string): Locator =>
    frame.locator(`[aria-label="Choice for ${path}"], [aria-label^="Choice for ${path} ("]`);
  const applyButton = frame.getByRole('button', { name: /^Apply/ });
  return {
    frame,
    shown: () => frame.getByRole('radiogroup').first().waitFor({ timeout: 30_000 }),
    async choose(path, choice) {
      const option = group(path).locator(`label:has(input[value="${choice}"])`);
      await option.click();
      await group(path).locator(`input[value="${choice}"]:checked`).waitFor({ state: 'attached' });
    },
    async chosen(path) {
      const marked = group(path).locator('input:checked');
      return (await marked.count()) === 0 ? undefined : ((await marked.getAttribute('value')) ?? undefined);
    },
    canApply: () => applyButton.isEnabled(),
    apply: () => applyButton.click(),
    reject: () => frame.getByRole('button', { name: /^Reject/ }).click(),
    async openDiff(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      await frame.locator(`[role="row"][aria-label*=" ${name} "] .name`).click();
      await frame.getByRole('button', { name: /Diff/ }).click();
    },
  };
}
