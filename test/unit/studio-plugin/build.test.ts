import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { buildStudioPlugin } from '../../../scripts/build-studio-plugin.ts';

/** Path of names and class to source, as an XML reader sees the file. */
function readModel(xml: string): ReadonlyMap<string, string> {
  const scripts = new Map<string, string>();
  const path: { className: string; name: string; source: string }[] = [];
  let field = '';
  const parser = new SaxesParser();
  parser.on('opentag', tag => {
    if (tag.name === 'Item') path.push({ className: String(tag.attributes['class']), name: '', source: '' });
    field = String(tag.attributes['name'] ?? '');
  });
  const add = (text: string): void => {
    const item = path.at(-1);
    if (item !== undefined && field === 'Name') item.name += text;
    if (item !== undefined && field === 'Source') item.source += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', tag => {
    field = '';
    if (tag.name !== 'Item') return;
    const item = path.at(-1)!;
    scripts.set(`${path.map(({ name }) => name).join('/')}:${item.className}`, item.source);
    path.pop();
  });
  parser.write(xml).close();
  return scripts;
}

test('the built plugin is one script with its modules below it, sources untouched', async () => {
  const scripts = readModel(await buildStudioPlugin());
  const source = (path: string): Promise<string> =>
    readFile(new URL(`../../../studio-plugin/src/${path}`, import.meta.url), 'utf8');
  assert.equal(scripts.get('AtlasBridge:Script'), await source('init.server.luau'));
  assert.equal(scripts.get('AtlasBridge/core:Folder'), '');
  assert.equal(scripts.get('AtlasBridge/core/codec:ModuleScript'), await source('core/codec/init.luau'));
  assert.equal(scripts.get('AtlasBridge/core/codec/decoders:ModuleScript'), await source('core/codec/decoders.luau'));
  assert.equal(scripts.get('AtlasBridge/core/session:ModuleScript'), await source('core/session.luau'));
});
