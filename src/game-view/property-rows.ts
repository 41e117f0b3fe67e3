import type { Inspected } from '../protocol/studio/explorer.ts';
import type { PropertyChange } from '../protocol/sync-result.ts';
import { valueText } from '../protocol/value-text.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import type { PendingChange } from '../sync/pending-changes.ts';
import type { InstanceNode } from './game-node.ts';

/** A property of the selected instance. `onDisk`: the value of the project, if it is another one. */
export interface PropertyRow {
  readonly name: string;
  /** `undefined`: too long to show. */
  readonly value: string | undefined;
  readonly type: string;
  readonly onDisk?: string;
  /** The id of the change that a click opens as a diff, if the property differs. */
  readonly changeId?: string;
}

/** The properties of an instance by name, after its name and its class. Values that differ from the project come first. */
export function propertyRows(
  { instance, properties, references, omitted }: Inspected,
  side: InstanceNode['side'],
  change: PendingChange | undefined,
  reflection: Pick<Reflection, 'property' | 'enumItemName'>,
): readonly PropertyRow[] {
  const { className } = instance;
  const format = (name: string, value: NonNullable<PropertyChange['current']>): Omit<PropertyRow, 'name'> => {
    const { type, text } = valueText(value);
    const declared = reflection.property(className, name)?.type;
    if (typeof declared === 'object' && /^\d+$/.test(text))
      return { type: declared.enum, value: reflection.enumItemName(declared.enum, Number(text)) ?? text };
    return { type, value: references[name] ?? text };
  };
  const differing = side === 'studio' ? (change?.properties ?? {}) : {};
  const opened = (onDisk: string | undefined): Pick<PropertyRow, 'changeId'> =>
    change === undefined || onDisk === undefined ? {} : { changeId: change.id };
  const rows = Object.entries(properties).map(([name, value]): PropertyRow => {
    const incoming = differing[name]?.incoming;
    const onDisk = incoming === undefined ? undefined : format(name, incoming).value;
    return { name, ...format(name, value), ...(onDisk === undefined ? {} : { onDisk }), ...opened(onDisk) };
  });
  for (const name of omitted) rows.push({ name, value: undefined, type: '' });
  rows.sort((a, b) => Number(b.onDisk !== undefined) - Number(a.onDisk !== undefined) || (a.name < b.name ? -1 : 1));
  return [
    { name: 'Name', value: instance.name, type: 'String' },
    { name: 'ClassName', value: className, type: 'String' },
    ...(side === 'studio' && change?.patchType === 'Edit' && change.hasSource
      ? [{ name: 'Source', value: undefined, type: 'String', changeId: change.id }]
      : []),
    ...rows.filter(({ name }) => name !== 'Name' && name !== 'ClassName'),
  ];
}
