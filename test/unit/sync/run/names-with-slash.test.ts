import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainL10n } from '../../../../scripts/review-page/plain-l10n.ts';
import { runReport } from '../../../../src/sync/vscode/runs/run-report.ts';
import { runTitle } from '../../../../src/sync/vscode/runs/run-title.ts';
import { recordedReport } from '../../../../src/sync/vscode/views/history-text.ts';
import { buildTree } from '../../../../src/webview/review/tree-model.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const doors = { ClassName: 'Folder', Children: [{ Name: 'In/Out', ClassName: 'Folder' }] };

test('shows the whole name of an instance if it contains a slash', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Doors.model.json': JSON.stringify(doors) },
    place: { 'ServerScriptService/Doors': { className: 'Folder' } },
    person(review) {
      const { rows } = review.snapshot();
      const [line] = buildTree(rows);
      assert.deepEqual([line?.names, line?.children[0]?.names], [['ServerScriptService', 'Doors'], ['In/Out']]);
      review.choose([rows[0]?.id ?? ''], 'push');
      review.apply(review.snapshot().revision);
    },
  });
  const dryRun = world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'you' });
  assert.match(runReport(await dryRun.result, plainL10n), /^- ServerScriptService \/ Doors \/ In\/Out\\$/m);
  const { runId } = await world.sync({ mode: 'manual' });
  const recorded = await world.engine.recorded(runId);
  assert.ok(recorded);
  assert.equal(runTitle({ ...recorded, requestedBy: 'you' }, plainL10n), 'In/Out pushed by you');
  assert.match(recordedReport(recorded, '', plainL10n), /^- ServerScriptService \/ Doors \/ In\/Out\\$/m);
  const [diff] = await world.engine.recordedDiffs(runId, undefined);
  assert.equal(diff?.name, 'In/Out');
});
