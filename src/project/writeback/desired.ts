import { isScriptClass } from '../../protocol/script-class.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { WireVariant } from '../../protocol/values.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** The desired state of an instance and its descendants, from Studio or from a place file. */
export interface DesiredInstance {
  /** The id that `Ref` values of the same source use. */
  readonly id: string;
  readonly name: string;
  readonly className: string;
  /** By canonical name, including the Source. */
  readonly properties: ReadonlyMap<string, Variant>;
  readonly children: readonly DesiredInstance[];
}

/**
 * An instance from Studio with its descendants, as the files must represent it.
 *
 * @throws CannotWriteError when a value from Studio is invalid
 */
export function* desiredFromStudio(studio: StudioInstance): PausableWork<DesiredInstance> {
  yield;
  const { id, name, className, source } = studio;
  if (source === undefined && isScriptClass(className)) throw new CannotWriteError(reasonOf('source_not_utf8', name));
  const properties = valuesFromStudio(className, studio.properties);
  if (source !== undefined) properties.set('Source', { type: 'String', value: source });
  const children: DesiredInstance[] = [];
  for (const child of studio.children) children.push(yield* desiredFromStudio(child));
  return { id, name, className, properties, children };
}

/**
 * The values of properties from Studio, by canonical name.
 *
 * @throws CannotWriteError when a value is invalid
 */
export function valuesFromStudio(
  className: string,
  properties: Readonly<Record<string, WireVariant>>,
): Map<string, Variant> {
  return new Map(Object.entries(properties).map(([name, wire]) => [name, readStudioValue(className, name, wire)]));
}

function readStudioValue(className: string, name: string, wire: WireVariant): Variant {
  const read = variantFromWire(wire);
  if (!read.ok) throw new CannotWriteError(reasonOf('value_unreadable', className, name, read.error));
  return read.value;
}
