import type { Page } from 'playwright-core';
import { axeSource } from '../../../scripts/review-page/review-page.ts';

/**
 * Rules that VS Code decides: the colors are those of its themes, and the accessible name of a row separates by commas what the row shows
 * side by side.
 */
const rulesOfVsCode = ['color-contrast', 'label-content-name-mismatch'];

/** Violations that axe-core finds in the rows and titles of the open views, or in another part of the window, as `rule: element`. */
export async function viewFindings(page: Page, part = '.sidebar .pane-body'): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async selector => {
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const { axe } = globalThis as unknown as {
      axe: { run(selector: string): Promise<{ violations: readonly Violation[] }> };
    };
    const { violations } = await axe.run(selector);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(node => ({ id, text: `${id}: ${node.html} ${node.failureSummary ?? ''}` })),
    );
  }, part);
  return found.flatMap(({ id, text }) => (rulesOfVsCode.includes(id) ? [] : [text]));
}
