import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { openProject } from '../../../harness/project-world.ts';

test('lists the project files that have no default name, when there is no other', async () => {
  const files = {
    'match.project.json': '{}',
    'lobby.project.json5': '{}',
    'project.json': '{}',
    'a/b.project.json': '{}',
  };
  await assert.rejects(openProject(files), (error: unknown) => {
    assert.ok(AppError.is(error, 'NO_PROJECT'));
    assert.equal(
      error.message,
      'There is no default project file in /project. Its project files are: lobby.project.json5, match.project.json.',
    );
    return true;
  });
});
