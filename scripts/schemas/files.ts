import { flag, head, list, named, object, type Schema, text, valueRef } from './json-schema.ts';

/** `*.meta.json` beside a file, or `init.meta.json` of a folder. */
export const metaSchema: Schema = {
  ...head('Properties of a script, file or folder in a Rojo or Atlas project'),
  ...object({
    $schema: text,
    id: named(text, 'The id by which Rojo_Target_… attributes of other instances refer to this one.'),
    ignoreUnknownInstances: named(flag, 'Whether a sync ignores instances below this one that exist only in Studio.'),
    className: valueRef('className'),
    name: named(text, 'Atlas: the name of the instance, if no file can have that name.'),
    properties: valueRef('properties'),
    attributes: valueRef('attributes'),
  }),
};

/** A field with two spellings, of which only one may be present. */
const aliases = { className: 'ClassName', name: 'Name', properties: 'Properties', children: 'Children' } as const;

const members = (children: Schema): Readonly<Record<string, Schema>> => {
  const own = {
    className: valueRef('className'),
    name: named(text, 'The name of the instance; by default its class.'),
    properties: valueRef('properties'),
    children: list(children),
  };
  const others = Object.entries(aliases).map(([name, alias]) => [alias, own[name as keyof typeof aliases]]);
  return { ...own, ...Object.fromEntries(others), attributes: valueRef('attributes') };
};

const rules: Schema = {
  oneOf: [{ required: ['className'] }, { required: ['ClassName'] }],
  allOf: Object.entries(aliases).map(([name, alias]) => ({ not: { required: [name, alias] } })),
};

/** `*.model.json`. */
export const modelSchema: Schema = {
  ...head('Instances of a Rojo or Atlas project'),
  ...object({
    $schema: text,
    id: named(text, 'The id by which Rojo_Target_… attributes of other instances refer to this one.'),
    ...members({ $ref: '#/definitions/instance' }),
  }),
  ...rules,
  definitions: { instance: { ...object(members({ $ref: '#/definitions/instance' })), ...rules } },
};
