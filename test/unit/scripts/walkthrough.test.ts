import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Walkthrough {
  readonly description: string;
  readonly steps: readonly { readonly id: string; readonly media: { readonly markdown: string } }[];
}
const { contributes } = JSON.parse(read('package.json')) as {
  contributes: { walkthroughs: readonly Walkthrough[] };
};
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

test('the description of the walkthrough names no other number of steps than it has', () => {
  for (const { description, steps } of contributes.walkthroughs) {
    const [, word = ''] = /(\w+) steps/i.exec(texts[description.replaceAll('%', '')] ?? '') ?? [];
    assert.equal(numbers.indexOf(word.toLowerCase()), steps.length);
    // VS Code shows three lines of it and cuts the rest.
    assert.ok((texts[description.replaceAll('%', '')] ?? '').length <= 60);
  }
});

test('every step of the walkthrough has a picture that ships and is small', () => {
  const packed = read('.vscodeignore').split('\n');
  assert.ok(packed.includes('!media/**'));
  for (const { id, media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    const pictures = Array.from(read(media.markdown).matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g));
    assert.equal(pictures.length, 1, id);
    for (const [, , path = ''] of pictures) {
      const file = posix.join(posix.dirname(media.markdown), path);
      assert.match(file, /^media\/walkthrough\/[\w-]+\.png$/);
      assert.ok(existsSync(join(root, file)), file);
      const bytes = readFileSync(join(root, file));
      assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG', file);
      assert.ok(bytes.length < 150_000, `${file} has ${bytes.length} bytes`);
    }
  }
});
