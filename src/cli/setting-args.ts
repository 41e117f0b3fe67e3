import { parseJson } from '../base/parse-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { suggestName } from '../base/suggest-name.ts';
import { isAllowedValue, type SettingDefinition, settingDefinitions } from '../ports/settings.ts';

/** Values of settings by key, without `atlas.`. */
export type SettingValues = ReadonlyMap<string, unknown>;

const definitions = new Map(
  Object.values<SettingDefinition>(settingDefinitions).map(definition => [definition.key, definition]),
);

/** Reads the values of `--set`: the name of a setting, with or without `atlas.`, and its value. */
export function readSettingArgs(texts: readonly string[] = []): Result<SettingValues, string> {
  const values = new Map<string, unknown>();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 1) return err(`invalid setting '${text}' (name=value)`);
    const key = text.slice(0, at).replace(/^atlas\./, '');
    const definition = definitions.get(key);
    if (definition === undefined) return err(`unknown setting '${key}'${suggestName(key, definitions.keys())}`);
    const value = readValue(definition, text.slice(at + 1));
    if (!isAllowedValue(definition, value))
      return err(`invalid value '${text.slice(at + 1)}' of ${key} (${describeValues(definition)})`);
    values.set(key, value);
  }
  return ok(values);
}

/** Reads a text without quotes, and any other value as JSON; `undefined` if that is invalid. */
const readValue = ({ type }: SettingDefinition, text: string): unknown => (type === 'string' ? text : parseJson(text));

function describeValues({ type, values, minimum, maximum, isNullable }: SettingDefinition): string {
  if (values !== undefined) return values.join(', ');
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum}–${maximum}`;
  const names = { boolean: 'true or false', integer: 'a whole number', number: 'a number', string: 'a text' };
  const name = type === 'array' ? 'a JSON list' : names[type];
  return `${name}${range}${isNullable === true ? ', or null' : ''}`;
}
