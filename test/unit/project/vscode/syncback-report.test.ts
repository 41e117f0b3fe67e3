import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncbackReport } from '../../../../src/project/vscode/syncback-report.ts';
import { plainL10n } from '../../../../scripts/review-page/plain-l10n.ts';

test('lists problems first and omits empty sections', () => {
  const plan = {
    writing: ['src/A.luau'],
    removing: ['src/B`.luau'],
    refused: [{ path: 'Workspace/X', reason: 'no file can have the name' }],
    notes: [],
  } as const;
  assert.equal(
    syncbackReport(
      { ...plan, writing: [...plan.writing], removing: [...plan.removing], refused: [...plan.refused], notes: [] },
      'game.rbxl',
      plainL10n,
    ),
    `# Syncback from game.rbxl

## Cannot be written (1)

- \`Workspace/X\`: no file can have the name

## Files to remove (1)

- \`src/B'.luau\`

## Files to write (1)

- \`src/A.luau\`
`,
  );
});
