/**
 * The notices of everything that others wrote and we ship: what their licences ask for. Made from what the bundles really hold, so a
 * package that is not bundled is not named, and none that is can be forgotten.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX. */
  readonly licence: string;
  /** The text of its licence, as the package has it. */
  readonly text: string;
}

/** Licences whose conditions are met by the notices alone. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0']);

/**
 * The packages behind `inputs`, sorted by name.
 *
 * @param inputs paths of bundled files from `root`
 * @throws Error when one has a licence that nobody has looked at, or carries no text of it
 */
export function shippedPackages(root: string, inputs: readonly string[]): readonly ShippedPackage[] {
  const folders = new Set(inputs.flatMap(input => packageFolder(input) ?? []));
  return [...folders].sort().map(folder => describe(join(root, folder)));
}

/** What is no package of its own: data that was carried over, and the virtual machine inside the package that brings it. */
export function shippedParts(root: string): readonly ShippedPackage[] {
  const mit = readFileSync(new URL('./licences/MIT.txt', import.meta.url), 'utf8');
  return [
    {
      name: 'Roblox class database',
      version: 'as converted',
      licence: 'MIT',
      text: readFileSync(join(root, 'src/roblox/instances/reflection.LICENSE.txt'), 'utf8'),
    },
    {
      name: 'Luau, inside luau-web',
      version: 'as built there',
      licence: 'MIT',
      text: mit.replace('{holder}', '2019-2026 Roblox Corporation, 1994-2019 Lua.org, PUC-Rio'),
    },
  ];
}

/** The file that ships. */
export function renderNotices(packages: readonly ShippedPackage[]): string {
  const parts = packages.map(
    ({ name, version, licence, text }) => `${'='.repeat(80)}\n${name} ${version} (${licence})\n\n${text.trim()}\n`,
  );
  return `Atlas Bridge ships parts of these packages. Their licences follow.\n\n${parts.join('\n')}`;
}

/** `node_modules/…/<name>` of the innermost package that `input` lies in. */
function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function describe(folder: string): ShippedPackage {
  const read = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license } = read;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`${folder} is no package`);
  if (typeof license !== 'string' || !allowed.has(license))
    throw new Error(`${name} ${version} has the licence ${String(license)}: look at it before it ships`);
  const file = readdirSync(folder).find(one => /^licen[cs]e(\.\w+)?$/i.test(one));
  const text = file === undefined ? standardText(license, read['author']) : readFileSync(join(folder, file), 'utf8');
  if (text === undefined) throw new Error(`${name} ${version} carries no text of its licence`);
  return { name, version, licence: license, text };
}

/** The licence that a package names without a copy of its text, in the name of its author. */
function standardText(licence: string, author: unknown): string | undefined {
  const file = new URL(`./licences/${licence}.txt`, import.meta.url);
  return typeof author === 'string' && existsSync(file)
    ? readFileSync(file, 'utf8').replace('{holder}', author)
    : undefined;
}
