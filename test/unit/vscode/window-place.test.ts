import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { windowPlace } from '../../../src/vscode/window-place.ts';

test('detects a local, WSL, remote and browser window', () => {
  assert.deepEqual(windowPlace({ remoteName: undefined }, false), { kind: 'here' });
  assert.deepEqual(windowPlace({ remoteName: 'wsl' }, false), { kind: 'wsl', name: 'wsl' });
  for (const name of ['ssh-remote', 'dev-container', 'attached-container', 'tunnel', 'codespaces'])
    assert.deepEqual(windowPlace({ remoteName: name }, false), { kind: 'remote', name });
  assert.deepEqual(windowPlace({ remoteName: 'devbox.example:8080' }, true), { kind: 'browser', name: hostname() });
});
