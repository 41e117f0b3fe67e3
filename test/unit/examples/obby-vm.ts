import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LuauValue } from '../../../src/headless-studio/luau-value.ts';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { startTestVm } from '../../harness/luau-vm.ts';
import { reflectionData } from '../../harness/reflection.ts';
import { luauFiles, type ObbyNode, readObby } from './obby-tree.ts';

/** Roblox globals of a chunk of the example; `roblox/world.luau` defines most of them. */
const names = [
  'script require game workspace task typeof print warn os Instance Enum',
  'Vector2 Vector3 CFrame Color3 UDim UDim2 ColorSequence ColorSequenceKeypoint NumberSequence NumberRange TweenInfo',
].flatMap(line => line.split(' '));
const head = `return function(env) local ${names.join(', ')} = ${names.map(name => `env.${name}`).join(', ')} `;

/** Wraps a file of the example as a module that returns its chunk, with the same line numbers. */
export const asChunk = (source: string): string => `${head}${source}\nend`;

/** Creates a VM with the example as `obby/<file>`, the simulated Roblox as `roblox/…`, and `play`. */
export async function startObbyVm(): Promise<LuauVm> {
  const folder = new URL('./', import.meta.url).pathname;
  const own = globSync('**/*.luau', { cwd: folder }).map(
    file => [file, readFileSync(join(folder, file), 'utf8')] as const,
  );
  const example = luauFiles.map(({ file, source }) => [`obby/${file}`, asChunk(source)] as const);
  return startTestVm(new Map([...own, ...example]));
}

/** The example's instances in the form for Luau. */
export const obbyForLuau = (node: ObbyNode = readObby()): LuauValue =>
  ({
    name: node.name,
    className: node.className,
    properties: node.properties,
    attributes: node.attributes,
    children: node.children.map(obbyForLuau),
    ...(node.file === undefined ? {} : { file: node.file.replace(/\.luau$/, '').replace(/\/init$/, '') }),
  }) as LuauValue;

/** Property names of every class, so that the simulated Roblox can reject others. */
export const classesForLuau = (): LuauValue =>
  Object.fromEntries(
    Object.entries(reflectionData.classes).map(([name, [superclass, , properties]]) => [
      name,
      { superclass, properties: scriptable(properties) },
    ]),
  );

/** Properties that scripts cannot read; a child with that name is visible instead. */
function scriptable(properties: Readonly<Record<string, number>>): Readonly<Record<string, true>> {
  const seen = Object.entries(properties).filter(([, row]) => reflectionData.rows[row]?.[1] !== 'None');
  return Object.fromEntries(seen.map(([name]) => [name, true]));
}
