import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SyncStatus, Verdict } from '../../../src/protocol/sync-result.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Contains ids of commands, which look like settings. */
const generated = ['docs/commands.md'];
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/*.md', { cwd: root }),
  'examples/obby/README.md',
].toSorted();
const manifest = JSON.parse(read('package.json')) as {
  contributes: {
    commands: readonly { title: string; category: string }[];
    configuration: { properties: Readonly<Record<string, unknown>> };
  };
};
const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;

/** The first group of each match in `list`, with its page; at least one, so that a test of them can fail. */
function matchesIn(list: readonly string[], pattern: RegExp): readonly (readonly [page: string, found: string])[] {
  const found = list.flatMap(page =>
    Array.from(read(page).matchAll(pattern), ([, group = '']) => [page, group] as const),
  );
  assert.ok(found.length > 0, `the pages have no ${String(pattern)}`);
  return found;
}

test('names commands in the guides as the palette does', () => {
  const titles = new Set(
    manifest.contributes.commands.map(({ title, category }) => `${category}: ${texts[title.replaceAll('%', '')]}`),
  );
  const named = matchesIn(pages, /\*\*((?:Atlas(?: Bridge)?|Pluto): [^*]+)\*\*/g);
  for (const [page, name] of named) assert.ok(titles.has(name), `${page}: ${name}`);
});

test('names only settings that exist', () => {
  const known = Object.keys(manifest.contributes.configuration.properties);
  const guides = pages.filter(one => !generated.includes(one));
  for (const [page, name] of matchesIn(guides, /`(atlas\.[a-zA-Z.]+)`/g))
    assert.ok(
      known.some(key => key === name || key.startsWith(`${name}.`)),
      `${page}: ${name}`,
    );
});

test('links to files that exist, and lists every page of docs in its index', () => {
  for (const [page, target] of matchesIn(pages, /\]\(([^)#\s]+)[^)]*\)/g))
    if (!/^(https?|command):/.test(target))
      assert.ok(existsSync(join(root, dirname(page), target)), `${page} links to ${target}`);
  const index = read('docs/README.md');
  for (const page of globSync('docs/*.md', { cwd: root }))
    if (page !== 'docs/README.md') assert.ok(index.includes(`](${page.slice('docs/'.length)})`), page);
});

test('the guide for agents explains every status and every verdict', () => {
  const guide = read('docs/agents.md');
  for (const name of [...SyncStatus.options, ...Verdict.options]) assert.ok(guide.includes(`\`${name}\``), name);
});
