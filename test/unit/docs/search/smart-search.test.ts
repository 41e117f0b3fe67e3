import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RootPath } from '../../../../src/base/root-path.ts';
import type { SearchBackend } from '../../../../src/docs/ports/search-backend.ts';
import { strictTerms } from '../../../../src/docs/retrieval.ts';
import { retrievalOver } from '../../../harness/root-host.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('finds a file by its name among any number of files', async () => {
  await using folder = await tempFolder({ 'src/wanted.md': 'text\n' });
  const ripgrep: SearchBackend = {
    isAlwaysOrdered: false,
    lines: async () => {},
    async files(_request, onFile) {
      for (let file = 0; file < 250_000; file += 1) if (!onFile(0, `src/${file}.md` as RootPath)) return;
      onFile(0, 'src/wanted.md' as RootPath);
    },
  };
  const request = { scope: undefined, query: 'wanted', include: [], exclude: [], limit: 5, cursor: undefined };
  const retrieval = retrievalOver({ DOCS_ROOT: folder.path }, { ripgrep });
  const { result } = await retrieval.smartSearch(request, strictTerms, new AbortController().signal);
  assert.deepEqual(
    result.map(({ path }) => path),
    ['src/wanted.md'],
  );
});
