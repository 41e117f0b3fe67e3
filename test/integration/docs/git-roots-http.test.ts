import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitRemote } from '../../harness/git-remote.ts';
import { gitRootWorld } from '../../harness/git-root-world.ts';

test('FR-014 a plain file server over http gives its whole history; refusals over http have their codes', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('update-server-info');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path.startsWith('/closed')) return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    void readFile(join(remote.folder.path, '.git', path.replace(/^\/repo/, ''))).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const [name, code] of [
      ['repo', undefined],
      ['closed', 'AUTH_FAILED'],
      ['gone', 'REMOTE_NOT_FOUND'],
    ] as const) {
      await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: `http://127.0.0.1:${port}/${name}` });
      const row = await at.sync();
      assert.deepEqual([row.error?.code, row.after], [code, code === undefined ? first : null], name);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
