import type { Page } from 'playwright-core';

/**
 * Accessible labels and titles of the window that contain the syntax of an icon, as `$(sync)`. Screen readers would spell it. The language
 * status is a label of VS Code. Hostile names of instances, which look like links to commands, are shown as they are.
 */
export const labelsWithIcons = (page: Page): Promise<readonly string[]> =>
  page
    .locator('[aria-label*="$("]:not([aria-label^="Editor Language Status"]), [title*="$("]')
    .evaluateAll(found => found.map(one => one.getAttribute('aria-label') ?? one.getAttribute('title') ?? ''))
    .then(labels => labels.filter(label => !label.includes('](command:')));
