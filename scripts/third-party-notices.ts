/**
 * Third-party notices of the shipped code. They are generated from the inputs of the bundles, so they list exactly the packages that are
 * bundled.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  /** Text of the license in the package. */
  readonly text: string;
}

/** Licenses that require only notices. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']);

/**
 * The packages behind `inputs`, sorted by name.
 *
 * @param inputs paths of bundled files from `root`
 * @throws Error if a package has a license that is not in `allowed`, or no text of its license
 */
export function shippedPackages(root: string, inputs: readonly string[]): readonly ShippedPackage[] {
  const folders = new Set(inputs.flatMap(input => packageFolder(input) ?? []));
  return [...folders].sort().map(folder => describe(join(root, folder)));
}

/** Shipped parts that are not packages: converted data, and the virtual machine inside another package. */
export function shippedParts(root: string): readonly ShippedPackage[] {
  const mit = readFileSync(new URL('./licenses/MIT.txt', import.meta.url), 'utf8');
  return [
    {
      name: 'Roblox class database',
      version: 'as converted',
      license: 'MIT',
      text: readFileSync(join(root, 'src/roblox/instances/reflection.LICENSE.txt'), 'utf8'),
    },
    {
      name: 'Luau, inside luau-web',
      version: 'as built there',
      license: 'MIT',
      text: mit.replace('{holder}', '2019-2026 Roblox Corporation, 1994-2019 Lua.org, PUC-Rio'),
    },
  ];
}

/** The text of the notices file. */
export function renderNotices(packages: readonly ShippedPackage[]): string {
  const parts = packages.map(
    ({ name, version, license, text }) => `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`,
  );
  return `Atlas Bridge ships parts of these packages. Their licenses follow.\n\n${parts.join('\n')}`;
}

/** `node_modules/…/<name>` of the innermost package that contains `input`. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function describe(folder: string): ShippedPackage {
  const read = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license } = read;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`${folder} is not a package`);
  if (typeof license !== 'string' || !allowed.has(license))
    throw new Error(
      `${name} ${version} has the unknown license ${String(license)}: check it, then add it to the allowed ones`,
    );
  const file = readdirSync(folder).find(one => /^licen[cs]e(\.\w+)?$/i.test(one));
  const text = file === undefined ? standardText(license, read['author']) : readFileSync(join(folder, file), 'utf8');
  if (text === undefined) throw new Error(`${name} ${version} does not contain the text of its license`);
  return { name, version, license, text };
}

/** The standard text of a license, for a package without a copy of it, with the author as holder. */
function standardText(license: string, author: unknown): string | undefined {
  const file = new URL(`./licenses/${license}.txt`, import.meta.url);
  return typeof author === 'string' && existsSync(file)
    ? readFileSync(file, 'utf8').replace('{holder}', author)
    : undefined;
}
