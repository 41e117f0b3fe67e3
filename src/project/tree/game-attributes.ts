import type { Variant } from '../../roblox/values/variant.ts';
import { isReferenceAttribute } from './resolve-references.ts';

/**
 * Whether an attribute belongs to the game. Others exist in files only, because the Studio plugin does not report them: those that encode
 * references, and those with the prefix that Roblox reserves (mirrors `ownAttributes` in `studio-plugin/src/core/properties.luau`).
 */
export const isGameAttribute = (name: string): boolean => !name.startsWith('RBX') && !isReferenceAttribute(name);

/** Removes the attributes that do not belong to the game, so that files and Studio are comparable; other values stay unchanged. */
export const onlyGameAttributes = (value: Variant): Variant =>
  value.type === 'Attributes'
    ? { ...value, value: new Map(Array.from(value.value).filter(([name]) => isGameAttribute(name))) }
    : value;
