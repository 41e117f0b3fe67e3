import type { Page } from 'playwright-core';
import { axeSource } from '../../../scripts/review-page/review-page.ts';

/**
 * Rules that VS Code decides: the colors are those of its themes, and the accessible name of a row separates by commas what the row shows
 * side by side. They do not run, because contrast takes longer than all other rules.
 */
const rulesOfVsCode = ['color-contrast', 'label-content-name-mismatch'];

/** Violations that axe-core finds in the rows and titles of the open views, or in another part of the window, as `rule: element`. */
export async function viewFindings(page: Page, part = '.sidebar .pane-body'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(
    async ({ selector, left }) => {
      interface Violation {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }
      const { axe } = globalThis as unknown as {
        axe: { run(selector: string, options: object): Promise<{ violations: readonly Violation[] }> };
      };
      const rules = Object.fromEntries(left.map(rule => [rule, { enabled: false }]));
      const { violations } = await axe.run(selector, { rules, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
      );
    },
    { selector: part, left: rulesOfVsCode },
  );
}
