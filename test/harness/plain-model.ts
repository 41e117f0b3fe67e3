import type { Model, ModelInstance } from '../../src/roblox/instances/model.ts';
import type { Variant } from '../../src/roblox/values/variant.ts';
import { variantToWire } from '../../src/roblox/values/variant-wire.ts';
import { compareByteOrder } from '../../src/base/byte-order.ts';
import { isReferenceAttribute } from '../../src/project/tree/resolve-references.ts';
import { reflection } from './reflection.ts';

/** Strips a model of what files do not record: sibling order, defaults, file ids. */
export function plain(model: Model): unknown {
  const paths = new Map<string, string>();
  const note = (instances: readonly ModelInstance[], above: string): void => {
    for (const { referent, name, className, children } of instances) {
      paths.set(referent, `${above}/${className} ${name}`);
      note(children, `${above}/${className} ${name}`);
    }
  };
  note(model.roots, '');
  const form = ({ name, className, properties, children }: ModelInstance): object => ({
    name,
    className,
    properties: Array.from(properties)
      .filter(([key, value]) => !isNothing(className, key, value))
      .map(([key, value]) => [key, value.type === 'Ref' ? (paths.get(value.value) ?? null) : valueOf(value)])
      .filter(([, value]) => value !== null)
      .map(entry => entry.join(' '))
      .toSorted(compareByteOrder),
    children: sorted(children.map(form)),
  });
  return sorted(model.roots.map(form));
}

const sorted = (forms: readonly object[]): readonly object[] =>
  forms.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Normalizes values whose types differ only in undeclared ways: bytes and text, widths of numbers. */
function valueOf(value: Variant): string {
  if (value.type === 'Attributes') {
    const named = Array.from(value.value).filter(([name]) => !isReferenceAttribute(name));
    return JSON.stringify(named.map(([name, each]) => `${name} ${valueOf(each)}`).toSorted(compareByteOrder));
  }
  const lf = value.type === 'String' ? { ...value, value: value.value.replaceAll('\r\n', '\n') } : value;
  return JSON.stringify(variantToWire(lf), (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

function isNothing(className: string, name: string, value: Variant): boolean {
  if (value.type === 'UniqueId' || (name === 'NeedsPivotMigration' && value.value === false)) return true;
  const known = reflection.defaultOf(className, name);
  if (known) return valueOf(known) === valueOf(value);
  return ['', 0, 0n, false, null, 'Default'].some(nothing => Object.is(nothing, value.value));
}
