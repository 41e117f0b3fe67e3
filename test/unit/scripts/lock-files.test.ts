import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Locked>>;

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (file: string): Packages =>
  (JSON.parse(readFileSync(resolve(root, file), 'utf8')) as { packages: Packages }).packages;

/** Matches addresses that only some machines can reach. */
const oddAddresses = (packages: Packages): readonly string[] =>
  Object.values(packages).flatMap(({ resolved }) =>
    resolved === undefined || resolved.startsWith('https://registry.npmjs.org/') ? [] : [resolved],
  );

/** Optional packages (those of other platforms) without an entry: `npm ci` refuses a lock file that lacks one. */
function missingEntries(packages: Packages): readonly string[] {
  const isThere = (from: string, name: string): boolean => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
      if (folder === '') return false;
    }
  };
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(name => !isThere(path, name))
      .map(name => `${path}: ${name}`),
  );
}

for (const file of ['package-lock.json', 'test/host/package-lock.json'])
  test(`${file} installs anywhere: no address of a private registry`, () => {
    assert.deepEqual(oddAddresses(read(file)), []);
  });

test('[P7] package-lock.json installs on a fresh machine: no optional package lacks its entry', () => {
  assert.deepEqual(missingEntries(read('package-lock.json')), []);
});

/** Formatter, linter and parser of the development tools, compiled for one platform each. */
const developmentBinary = /(?:^|\/)node_modules\/@(?:oxc-parser|oxfmt|oxlint|oxlint-tsgolint)\/[\w-]+$/;
/** How many of them npm has not seen yet, because it only records the hash of what it installs. The number only falls. */
const MAX_UNSEEN_BINARIES = 68;

/** Packages that npm would install without comparing a hash. */
const withoutHash = (packages: Packages): readonly (readonly [string, Locked])[] =>
  Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined);

for (const file of globSync(['package-lock.json', 'test/*/package-lock.json'], { cwd: root }))
  test(`${file} has the hash of every package but development binaries of other platforms`, () => {
    const found = withoutHash(read(file));
    const unexplained = found.filter(
      ([path, { dev, optional }]) => dev !== true || optional !== true || !developmentBinary.test(path),
    );
    assert.deepEqual(
      unexplained.map(([path]) => path),
      [],
    );
    assert.ok(found.length <= (file === 'package-lock.json' ? MAX_UNSEEN_BINARIES : 0), `${found.length}`);
  });

test('finds a private address and a missing entry', () => {
  const packages: Packages = {
    'node_modules/a': { version: '1', resolved: 'https://npm.example/a.tgz', optionalDependencies: { 'a-linux': '1' } },
    'node_modules/b': { version: '1', optionalDependencies: { c: '1', d: '1' } },
    'node_modules/b/node_modules/c': { version: '1' },
    'node_modules/d': { version: '1' },
  };
  assert.deepEqual(oddAddresses(packages), ['https://npm.example/a.tgz']);
  assert.deepEqual(missingEntries(packages), ['node_modules/a: a-linux']);
  assert.equal(withoutHash(packages).length, 4);
});
