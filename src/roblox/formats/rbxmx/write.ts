import { encodeBase64 } from '../../../base/base64.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { TextPieces } from '../../../base/text-pieces.ts';
import { runToEnd, type PausableWork } from '../../../base/time-slice.ts';
import type { Model, ModelInstance } from '../../instances/model.ts';
import type { Reflection } from '../../instances/reflection.ts';
import type { Variant } from '../../values/variant.ts';
import { writeFileProperties } from '../file-properties.ts';
import { SharedStringTable } from '../shared-string-hash.ts';
import type { WrittenValue } from '../../values/property-type.ts';
import { writeValue } from './values.ts';
import { escapeAttribute, escapeXml, isXmlText } from '../../encoding/xml-element.ts';

/** `model`: `.rbxmx`, `place`: `.rbxlx`. */
export type XmlModelKind = 'model' | 'place';

/**
 * Writes a `.rbxmx` or `.rbxlx` file in Studio's layout, with properties sorted by name. The same model gives the same text. The error
 * names the instance and property that XML does not support.
 */
export const writeXmlModel = (model: Model, kind: XmlModelKind, reflection: Reflection): Result<string, string> =>
  runToEnd(writeXmlModelPausable(model, kind, reflection));

/** Writes like `writeXmlModel`, with pauses. */
export function* writeXmlModelPausable(
  model: Model,
  kind: XmlModelKind,
  reflection: Reflection,
): PausableWork<Result<string, string>> {
  const [unknown] = model.unknownColumns ?? [];
  if (unknown) return err(`${unknown.className}.${unknown.name}: a type that only binary files can hold`);
  const writing: Writing = { lines: new Lines(), shared: new SharedStringTable(), reflection };
  writing.lines.push(header);
  const metadata = new Map(model.metadata);
  if (kind === 'model' && metadata.size === 0) metadata.set('ExplicitAutoJoints', 'true');
  for (const [name, value] of metadata)
    writing.lines.push(`\t<Meta name="${escapeAttribute(name)}">${escapeXml(value)}</Meta>`);
  for (const text of ['null', 'nil']) writing.lines.push(`\t<External>${text}</External>`);
  const problem = yield* writeItems(writing, model.roots);
  if (problem !== undefined) return err(problem);
  if (writing.shared.all.length > 0) yield* writeSharedStrings(writing);
  writing.lines.push('</roblox>');
  return ok(writing.lines.text());
}

class Lines {
  readonly #pieces = new TextPieces();

  /** @param indent separate from the line, because a copy of it in each line takes twice as long in a deep tree */
  push(line: string, indent = ''): void {
    this.#pieces.add(indent, line, '\n');
  }

  text(): string {
    return this.#pieces.text();
  }
}

interface Writing {
  readonly lines: Lines;
  readonly shared: SharedStringTable;
  readonly reflection: Reflection;
}

const header =
  '<roblox xmlns:xmime="http://www.w3.org/2005/05/xmlmime" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
  'xsi:noNamespaceSchemaLocation="http://www.roblox.com/roblox.xsd" version="4">';

/**
 * Writes all instances without recursion, because nested generators would pass every pause through all levels.
 *
 * @returns the content that cannot be written
 */
function* writeItems(writing: Writing, roots: readonly ModelInstance[]): PausableWork<string | undefined> {
  const { lines } = writing;
  // An instance to write, or the end of one.
  const open: { readonly instance?: ModelInstance; readonly indent: string }[] = [];
  const push = (instances: readonly ModelInstance[], indent: string): void => {
    for (const instance of instances.toReversed()) open.push({ instance, indent });
  };
  push(roots, '\t');
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { instance, indent } = next;
    if (instance === undefined) {
      lines.push('</Item>', indent);
      continue;
    }
    yield;
    const problem = writeItem(writing, instance, indent);
    if (problem !== undefined) return problem;
    open.push({ indent });
    // Unlike `+`, `join` makes a string that is not a chain of its parts.
    push(instance.children, [indent, ''].join('\t'));
  }
  return undefined;
}

/** Writes an instance without its children and its end tag. @returns the content that cannot be written */
function writeItem(writing: Writing, instance: ModelInstance, indent: string): string | undefined {
  const { lines } = writing;
  const { className, referent, unknownXml } = instance;
  if (!isXmlText(className) || !isXmlText(referent))
    return `${JSON.stringify(className)}: a class name that XML cannot hold`;
  lines.push(`<Item class="${escapeAttribute(className)}" referent="${escapeAttribute(referent)}">`, indent);
  lines.push('\t<Properties>', indent);
  for (const [name, value] of propertiesOf(writing.reflection, instance)) {
    const written = isXmlText(name) ? writeProperty(writing, instance, name, value) : undefined;
    if (written === undefined)
      return `${className} ${JSON.stringify(instance.name)}: XML has no form for ${name} (${value.type})`;
    const { element, inside } = written;
    lines.push(`\t\t<${element} name="${escapeAttribute(name)}">${inside}</${element}>`, indent);
  }
  for (const xml of unknownXml?.values() ?? []) lines.push(`\t\t${xml}`, indent);
  lines.push('\t</Properties>', indent);
  return undefined;
}

function propertiesOf(reflection: Reflection, { className, name, properties }: ModelInstance) {
  return writeFileProperties(
    reflection,
    className,
    new Map([...properties, ['Name', { type: 'String', value: name }]]),
  );
}

function writeProperty(
  writing: Writing,
  instance: ModelInstance,
  name: string,
  value: Variant,
): WrittenValue | undefined {
  if (value.type === 'String' && name === 'Source' && writing.reflection.isA(instance.className, 'LuaSourceContainer'))
    return writeSource(value.value);
  return writeValue(value, bytes => {
    const entry = writing.shared.all[writing.shared.add(bytes)];
    return entry === undefined ? '' : encodeBase64(entry.hash);
  });
}

/** Writes source as Studio does: readable, unless CDATA cannot contain it. */
function writeSource(source: string): WrittenValue | undefined {
  if (!isXmlText(source)) return writeValue({ type: 'String', value: source }, () => '');
  if (source.includes('\r')) return { element: 'ProtectedString', inside: escapeXml(source) };
  return { element: 'ProtectedString', inside: `<![CDATA[${source.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` };
}

function* writeSharedStrings({ lines, shared }: Writing): PausableWork<void> {
  lines.push('\t<SharedStrings>');
  const strings = shared.all.map(({ bytes, hash }) => [encodeBase64(hash), bytes] as const);
  for (const [key, bytes] of strings.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`\t\t<SharedString md5="${key}">${encodeBase64(bytes)}</SharedString>`);
    yield;
  }
  lines.push('\t</SharedStrings>');
}
