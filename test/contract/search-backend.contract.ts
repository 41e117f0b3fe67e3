import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareWalk } from '../../src/docs/scope/order.ts';
import type { LineHit, LinePattern, SearchBackend, SearchRequest } from '../../src/docs/ports/search-backend.ts';
import { RETRIEVAL_LIMITS } from '../../src/protocol/limits.ts';
import { countStartedProcesses } from '../harness/started-processes.ts';
import { tempFolder } from '../harness/temp-folder.ts';

const literal = (...texts: readonly string[]): LinePattern => ({
  texts,
  isRegex: false,
  ignoreCase: false,
  wholeWord: false,
});
const regex = (text: string): LinePattern => ({ ...literal(text), isRegex: true });

async function linesOf(
  backend: SearchBackend,
  request: Pick<SearchRequest, 'pattern' | 'folders'> & Partial<SearchRequest>,
  signal = new AbortController().signal,
): Promise<readonly LineHit[]> {
  const hits: LineHit[] = [];
  await backend.lines({ inOrder: false, ...request }, hit => hits.push(hit) > 0, signal);
  return hits;
}

const brief = (hits: readonly LineHit[]): readonly string[] =>
  hits.map(hit => `${hit.path}:${hit.line}`).toSorted((a, b) => (a < b ? -1 : 1));

/** The contract of every search backend. */
export function searchBackendContract(name: string, backend: SearchBackend): void {
  test(`${name}: finds each line once with its position and text, at LF and CRLF`, async () => {
    await using root = await tempFolder({
      'a.md': 'one needle\ntwo\r\nthree needle needle\r\n\nneedle',
      'deep/er/b.txt': '\tneedle\t\n',
    });
    const hits = await linesOf(backend, { pattern: literal('needle'), folders: [root.path], inOrder: true });
    assert.deepEqual(hits, [
      { folder: 0, path: 'a.md', line: 1, text: 'one needle', lineOffset: 0, matchOffset: 4 },
      { folder: 0, path: 'a.md', line: 3, text: 'three needle needle', lineOffset: 16, matchOffset: 6 },
      { folder: 0, path: 'a.md', line: 5, text: 'needle', lineOffset: 38, matchOffset: 0 },
      { folder: 0, path: 'deep/er/b.txt', line: 1, text: '\tneedle\t', lineOffset: 0, matchOffset: 1 },
    ]);
  });

  test(`[P6] ${name}: starts no process in this thread, which a start would block`, async () => {
    await using root = await tempFolder({ 'a.md': 'one needle' });
    using started = countStartedProcesses();
    assert.deepEqual(brief(await linesOf(backend, { pattern: literal('needle'), folders: [root.path] })), ['a.md:1']);
    assert.equal(started.count, 0);
  });

  test(`${name}: reports too large files, but not files that are skipped anyway`, async () => {
    const large = Buffer.alloc(RETRIEVAL_LIMITS.searchedFileBytes + 1, 'x\n');
    await using root = await tempFolder({
      'a.md': 'needle',
      'big.md': large,
      'deep/ä b.md': large,
      '.hidden.md': large,
      'out/big.md': large,
      '.gitignore': 'out/',
    });
    const reported: string[] = [];
    const hits = await linesOf(backend, {
      pattern: literal('needle'),
      folders: [root.path],
      onTooLarge: (folder, path) => reported.push(`${folder} ${path}`),
    });
    assert.deepEqual([brief(hits), reported.toSorted()], [['a.md:1'], ['0 big.md', '0 deep/ä b.md']]);
  });

  test(`${name}: offsets are bytes, invalid UTF-8 is replaced, and a byte order mark stays`, async () => {
    await using root = await tempFolder({
      'a.md': '\uFEFFäö needle\n',
      'b.md': Buffer.from([0xff, 0xfe, 0x20, ...Buffer.from('needle')]),
    });
    const hits = await linesOf(backend, { pattern: literal('needle'), folders: [root.path], inOrder: true });
    assert.deepEqual(
      hits.map(hit => [hit.text, hit.matchOffset]),
      [
        ['\uFEFFäö needle', 8],
        ['\uFFFD\uFFFD needle', 3],
      ],
    );
  });

  test(`${name}: supports case, whole words, several texts and regular expressions`, async () => {
    await using root = await tempFolder({
      'a.md': ['Needle', 'needles', 'a needle.', 'ÄRGER', 'ärger', 'a.c', 'abc', '_needle_', 'tea 12', ''].join('\n'),
    });
    const found = async (pattern: Partial<LinePattern> & Pick<LinePattern, 'texts'>) =>
      (await linesOf(backend, { pattern: { ...literal(), ...pattern }, folders: [root.path] })).map(hit => hit.text);
    assert.deepEqual(await found({ texts: ['needle'] }), ['needles', 'a needle.', '_needle_']);
    assert.deepEqual(await found({ texts: ['needle'], ignoreCase: true }), [
      'Needle',
      'needles',
      'a needle.',
      '_needle_',
    ]);
    assert.deepEqual(await found({ texts: ['needle'], wholeWord: true, ignoreCase: true }), ['Needle', 'a needle.']);
    assert.deepEqual(await found({ texts: ['ärger'], ignoreCase: true }), ['ÄRGER', 'ärger']);
    assert.deepEqual(await found({ texts: ['a.c'] }), ['a.c']);
    assert.deepEqual(await found({ texts: ['tea', 'ÄR'] }), ['ÄRGER', 'tea 12']);
    assert.deepEqual(await found({ texts: ['a.c'], isRegex: true }), ['a.c', 'abc']);
    assert.deepEqual(await found({ texts: ['^needles?$'], isRegex: true }), ['needles']);
    assert.deepEqual(await found({ texts: ['[[:digit:]]+$'], isRegex: true }), ['tea 12']);
    assert.deepEqual(await found({ texts: ['need|tea'], isRegex: true, wholeWord: true }), ['tea 12']);
    assert.deepEqual(await found({ texts: ['^\\w+$'], isRegex: true }), [
      'Needle',
      'needles',
      'ÄRGER',
      'ärger',
      'abc',
      '_needle_',
    ]);
  });

  test(`${name}: never treats a text as an option, a pattern or a file`, async () => {
    await using root = await tempFolder({ '-v': '--files\n', 'b.md': '-e x\n$(id) .*\n' });
    for (const [text, place] of [
      ['--files', '-v:1'],
      ['-e', 'b.md:1'],
      ['$(id)', 'b.md:2'],
      ['.*', 'b.md:2'],
    ] as const)
      assert.deepEqual(brief(await linesOf(backend, { pattern: literal(text), folders: [root.path] })), [place]);
  });

  test(`${name}: skips files in UTF-16, as the description of search says`, async () => {
    await using root = await tempFolder({ 'utf-16.md': Buffer.from('\uFEFFneedle\n', 'utf16le'), 'b.md': 'needle' });
    assert.deepEqual(brief(await linesOf(backend, { pattern: literal('needle'), folders: [root.path] })), ['b.md:1']);
  });

  test(`${name}: skips hidden and ignored files, links and binary files`, async () => {
    await using outside = await tempFolder({ 'secret.md': 'needle\n', '.gitignore': '*.md\n' });
    await using root = await tempFolder({
      'keep.md': 'needle',
      '.env': 'needle',
      '.git/config': 'needle',
      'a/.hidden/x.md': 'needle',
      '.gitignore': '*.log\n!important.log\n/top.md\nbuild/\nsub/only.txt\n# needle\n\\#odd\n!.shown\n',
      '.ignore': 'keep.md\n',
      '.shown': 'needle',
      'x.log': 'needle',
      'important.log': 'needle',
      'top.md': 'needle',
      'a/top.md': 'needle',
      'build/x.md': 'needle',
      'a/build/x.md': 'needle',
      'a/build.md': 'needle',
      'sub/only.txt': 'needle',
      'deep/sub/only.txt': 'needle',
      'a/.gitignore': 'local.md\n!x.log\n',
      'a/local.md': 'needle',
      'a/x.log': 'needle',
      '#odd': 'needle',
      'binary.dat': Buffer.from('needle\n\0needle\n'),
      // A caller separates names with backslashes too, so it could not open the file.
      ...(process.platform !== 'win32' && { 'back\\slash.md': 'needle' }),
      'late.dat': Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(200_000, 'x'), Buffer.from('\n\0\n')]),
    });
    await symlink(join(outside.path, 'secret.md'), join(root.path, 'link.md'));
    await symlink(outside.path, join(root.path, 'folder'));
    await symlink('keep.md', join(root.path, 'inside.md'));
    const expected = ['a/build.md:1', 'a/top.md:1', 'a/x.log:1', 'deep/sub/only.txt:1', 'important.log:1', 'keep.md:1'];
    for (const inOrder of [false, true])
      assert.deepEqual(
        brief(await linesOf(backend, { pattern: literal('needle'), folders: [root.path], inOrder, maxPerFile: 3 })),
        expected,
      );
    const files: string[] = [];
    await backend.files({ folders: [root.path] }, (_, path) => files.push(path) > 0, new AbortController().signal);
    assert.deepEqual(
      files.toSorted().filter(path => !path.endsWith('.dat')),
      expected.map(place => place.slice(0, -2)),
    );
  });

  test(`${name}: ignores rules above the folder`, async () => {
    await using above = await tempFolder({ '.gitignore': '*.md\n', '.git/x': '', 'root/a.md': 'needle' });
    const hits = await linesOf(backend, { pattern: literal('needle'), folders: [join(above.path, 'root')] });
    assert.deepEqual(brief(hits), ['a.md:1']);
  });

  test(`${name}: visits files in order, name by name`, async () => {
    const paths = ['a/x.md', 'a-b/y.md', 'a.md', 'a/y/z.md', 'B.md', 'ab.md', '\u{1F600}.md', '\uFF21.md', 'é/x.md'];
    await using root = await tempFolder(Object.fromEntries(paths.map(path => [path, 'needle'])));
    const hits = await linesOf(backend, { pattern: literal('needle'), folders: [root.path], inOrder: true });
    assert.deepEqual(
      hits.map(hit => hit.path),
      paths.toSorted(compareWalk),
    );
  });

  test(`${name}: returns the index of the folder with each hit`, async () => {
    await using one = await tempFolder({ 'a.md': 'needle' });
    await using two = await tempFolder({ 'a.md': 'needle', 'b.md': 'needle' });
    const hits = await linesOf(backend, {
      pattern: literal('needle'),
      folders: [two.path, one.path],
      inOrder: true,
    });
    assert.deepEqual(
      hits.map(hit => [hit.folder, hit.path]),
      [
        [0, 'a.md'],
        [0, 'b.md'],
        [1, 'a.md'],
      ],
    );
  });

  test(`${name}: filters by name, limits lines per file, and skips large files`, async () => {
    await using root = await tempFolder({
      'a.md': 'needle\n'.repeat(10),
      'a.ts': 'needle\n',
      'b/c.md': 'needle\n',
      'large.md': Buffer.concat([
        Buffer.from('needle\n'),
        Buffer.alloc(RETRIEVAL_LIMITS.searchedFileBytes, 'x'),
        Buffer.from('\n'),
      ]),
    });
    const request = { pattern: literal('needle'), folders: [root.path], nameGlobs: ['*.md'], maxPerFile: 2 };
    assert.deepEqual(brief(await linesOf(backend, request)), ['a.md:1', 'a.md:2', 'b/c.md:1']);
  });

  test(`${name}: returns a long line without its text, but with its position`, async () => {
    await using root = await tempFolder({ 'a.md': `x\n${'y'.repeat(5000)}needle${'z'.repeat(5000)}\n` });
    const [hit] = await linesOf(backend, { pattern: literal('needle'), folders: [root.path] });
    assert.deepEqual(
      { ...hit },
      { folder: 0, path: 'a.md', line: 2, text: undefined, lineOffset: 2, matchOffset: 5000 },
    );
  });

  test(`${name}: stops when onHit returns false, and awaits a promise`, async () => {
    await using root = await tempFolder({ 'a.md': 'needle\n'.repeat(50_000), 'b.md': 'needle\n'.repeat(50_000) });
    for (const answer of [false, Promise.resolve(false)]) {
      let seen = 0;
      await backend.lines(
        { pattern: literal('needle'), folders: [root.path], inOrder: true },
        () => ((seen += 1) >= 500 ? answer : true),
        new AbortController().signal,
      );
      assert.equal(seen, 500);
    }
  });

  test(`${name}: rejects with the reason when aborted, before or during the search`, async () => {
    await using root = await tempFolder({ 'a.md': 'needle\n'.repeat(50_000), 'b.md': 'needle\n'.repeat(50_000) });
    const reason = new Error('enough');
    const request = { pattern: literal('needle'), folders: [root.path] };
    await assert.rejects(linesOf(backend, request, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    let seen = 0;
    const onHit = (): boolean => {
      seen += 1;
      if (seen === 10) controller.abort(reason);
      return true;
    };
    await assert.rejects(backend.lines({ ...request, inOrder: false }, onHit, controller.signal), reason);
    assert.ok(seen < 100_000);
  });

  test(`${name}: rejects invalid regular expressions, and runs the others in linear time`, async () => {
    await using root = await tempFolder({ 'a.md': `${'a'.repeat(20_000)}b\n` });
    const search = (text: string) => linesOf(backend, { pattern: regex(text), folders: [root.path] });
    for (const text of ['(', '[a', 'a(?=b)', '(a)\\1', '*'])
      await assert.rejects(search(text), { code: 'REGEX_INVALID' }, text);
    await assert.rejects(search('((a{1000}){1000}){1000}'), { code: 'REGEX_TOO_COMPLEX' });
    for (const text of ['(a+)+$', '(a|aa)+$', '(.*)*c']) assert.deepEqual(await search(text), []);
  });

  test(`${name}: finds nothing in a missing folder`, async () => {
    await using root = await tempFolder();
    assert.deepEqual(await linesOf(backend, { pattern: literal('needle'), folders: [join(root.path, 'gone')] }), []);
  });

  test(`${name}: supports names with spaces, quotes and dashes`, async () => {
    await using root = await tempFolder();
    await mkdir(join(root.path, 'it\'s a "folder"'));
    await root.write({ 'it\'s a "folder"/- x.md': 'needle' });
    const hits = await linesOf(backend, { pattern: literal('needle'), folders: [root.path] });
    assert.deepEqual(
      hits.map(hit => hit.path),
      ['it\'s a "folder"/- x.md'],
    );
  });

  test(`${name}: no name with a line feed makes a hit of one root look like one of another`, async () => {
    await using hostile = await tempFolder();
    await using other = await tempFolder({ 'guide.md': 'nothing' });
    await hostile.write({ [`x\n${other.path}/guide.md`]: 'needle, says the guide', 'a\nb.md': 'needle' });
    assert.deepEqual(await linesOf(backend, { pattern: literal('needle'), folders: [hostile.path, other.path] }), []);
  });
}
