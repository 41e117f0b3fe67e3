import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const guide = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
const copied = ['src', 'scripts', 'docs', 'test/harness', 'package.json', 'package.nls.json'];
const configurations = ['tsconfig.json', 'tsconfig.core.json'];

/** One instruction of a recipe with the block below it. */
interface Step {
  readonly action: 'create' | 'before' | 'replace' | 'check';
  readonly path: string;
  readonly anchor: string;
  readonly block: string;
}

const recipes = Array.from(
  guide.matchAll(/^### (.+)\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm),
  ([, title = '', text = '']) => ({
    title,
    steps: stepsOf(text),
  }),
).filter(({ steps }) => steps.length > 0);

function stepsOf(recipe: string): readonly Step[] {
  const found = recipe.matchAll(
    /^ *(?:(Create) `(.+)`|In `(.+)`, (before|replace) `(.+)`|(Check)):\n\n( *)```\w+\n([\s\S]*?)\n *```$/gm,
  );
  return Array.from(found, ([, create, newPath = '', path = '', action, anchor = '', , indent = '', block = '']) => ({
    action: create !== undefined ? 'create' : action === 'before' || action === 'replace' ? action : 'check',
    path: newPath === '' ? path : newPath,
    anchor: anchor.replaceAll(String.raw`\n`, '\n'),
    block: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Follows the steps in `dir`. @throws Error with the step that cannot be followed */
async function follow(dir: string, steps: readonly Step[]): Promise<void> {
  for (const { action, path, anchor, block } of steps) {
    const file = join(dir, path);
    if (action === 'create') {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${block}\n`);
    } else if (action !== 'check') {
      const text = await readFile(file, 'utf8');
      assert.equal(text.split(anchor).length, 2, `${path} contains '${anchor}' once`);
      await writeFile(
        file,
        text.replace(anchor, () => (action === 'before' ? `${block}\n${anchor}` : block)),
      );
    }
  }
}

const prelude = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const read = (path: string): string => readFileSync(path, 'utf8');
const run = (script: string): Buffer => execFileSync(process.execPath, [script]);
const typeErrors = (): string => {
  try {
    return execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.core.json'], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
};
`;

test('every kind of addition has a recipe with a check', () => {
  assert.deepEqual(
    recipes.map(({ title }) => title),
    ['Add a file kind', 'Add a property type', 'Add a setting', 'Add a tool', 'Add a status', 'Add a Pluto diagnostic'],
  );
  for (const { title, steps } of recipes) assert.equal(steps.at(-1)?.action, 'check', title);
});

for (const { title, steps } of recipes)
  test(`the recipe works: ${title}`, async t => {
    const dir = await mkdtemp(join(tmpdir(), 'atlas-recipe-'));
    t.after(() => rm(dir, { recursive: true, force: true }));
    for (const path of [...copied, ...configurations]) await cp(join(root, path), join(dir, path), { recursive: true });
    await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
    await follow(dir, steps);
    await writeFile(join(dir, 'check.ts'), prelude + (steps.at(-1)?.block ?? ''));
    await promisify(execFile)(process.execPath, ['check.ts'], { cwd: dir });
  });

test('a step whose anchor is missing fails', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'atlas-recipe-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'a.ts'), 'const a = 1;\n');
  const step = { action: 'before', path: 'a.ts', anchor: 'const b', block: 'x' } as const;
  await assert.rejects(follow(dir, [step]), /contains 'const b' once/);
});
