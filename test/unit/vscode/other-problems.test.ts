import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';
import { otherProblems } from '../../../src/vscode/other-problems.ts';

const bridge = (name: string, file: string, message?: string) => ({
  location: { label: `${name}/default.project.json` },
  projectProblem: () => undefined,
  session: () => ({
    info: { name },
    diagnostics: () => (message === undefined ? [] : [{ severity: 'error', file, line: 2, column: 3, message }]),
  }),
});
const active = bridge('lobby', '');
const broken = bridge('arena', 'src/Shop.model.json', 'expected a value');
const lifecycle = {
  state: () => ({ kind: 'running', bridge: active }),
  bridges: () => [active, broken],
} as unknown as Parameters<typeof otherProblems>[0];
// Only its path would be read.
const file = undefined as never;

test('says which project has the error, and what to do about a folder that cannot be read', () => {
  const unserved = [
    { key: 'a', label: 'closed', file, error: { unreadable: 'permission denied' } },
    { key: 'b', label: 'arena/match.project.json', file, error: { line: 1, column: 9, expected: '":"' } },
    { key: 'c', label: 'ninth', file, error: undefined },
  ];
  assert.deepEqual(
    otherProblems(lifecycle, unserved, plainL10n).map(({ text }) => text),
    [
      'arena: src/Shop.model.json:2:3: expected a value',
      'closed cannot be read: permission denied. Make the folder readable, then reload the window to sync its project.',
      'arena/match.project.json:1:9: expected ":". The project is not synced until you fix the error.',
    ],
  );
});
