import { flag, head, list, named, object, type Schema, text, valueRef } from './json-schema.ts';

/** `*.meta.json` beside a file, or `init.meta.json` of a folder. */
export const metaSchema: Schema = {
  ...head('What a script, file or folder of a Rojo or Atlas project is beside its text'),
  ...object({
    $schema: text,
    id: named(text, 'What Rojo_Target_… attributes of other instances name.'),
    ignoreUnknownInstances: named(flag, 'Whether what only Studio has is left alone below this instance.'),
    className: valueRef('className'),
    name: named(text, 'Atlas: the name of the instance, where the file cannot have it.'),
    properties: valueRef('properties'),
    attributes: valueRef('attributes'),
  }),
};

/** A field with two spellings, of which only one may be present. */
const aliases = { className: 'ClassName', name: 'Name', properties: 'Properties', children: 'Children' } as const;

const members = (children: Schema): Readonly<Record<string, Schema>> => {
  const own = {
    className: valueRef('className'),
    name: named(text, 'The name of the instance; without it, its class.'),
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
    id: named(text, 'What Rojo_Target_… attributes of other instances name.'),
    ...members({ $ref: '#/definitions/instance' }),
  }),
  ...rules,
  definitions: { instance: { ...object(members({ $ref: '#/definitions/instance' })), ...rules } },
};
