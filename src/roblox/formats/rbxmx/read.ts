import { SaxesParser } from 'saxes';
import { decodeBase64 } from '../../../base/base64.ts';
import type { Ref } from '../../../base/brand.ts';
import { DecodeBudget, DecodeBudgetError } from '../../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { runToEnd, type PausableWork } from '../../../base/time-slice.ts';
import type { Model, ModelInstance } from '../../instances/model.ts';
import { isNoReferent, NULL_REF } from '../../values/ref.ts';
import type { Reflection } from '../../instances/reflection.ts';
import type { Variant } from '../../values/variant.ts';
import { readFileProperties, takeName } from '../file-properties.ts';
import { XmlValueError } from '../../encoding/xml-values.ts';
import { MAX_INSTANCE_DEPTH, MODEL_FILE_LIMITS, VALUES_PER_INSTANCE } from '../limits.ts';
import { rememberSharedStringHash } from '../shared-string-hash.ts';
import { readValue, type SharedType, sharedTypeOf } from './values.ts';
import { formatElement, type XmlElement } from '../../encoding/xml-element.ts';

/** Maximum nesting of elements inside a property, and of unknown elements; no type of Roblox needs more than three levels. */
const MAX_ELEMENT_DEPTH = 16;

/**
 * Reads a `.rbxmx` or `.rbxlx` file. Names and types are those that Roblox declares.
 * References to instances that are not in the file become the null Ref. The error starts with `line:column: `, counted from 1.
 */
export const readXmlModel = (text: string, reflection: Reflection): Result<Model, string> =>
  runToEnd(readXmlModelPausable(text, reflection));

/** Number of characters between two pauses. */
const PIECE = 32 * 1024;

/** Reads like `readXmlModel`, with pauses. */
export function* readXmlModelPausable(text: string, reflection: Reflection): PausableWork<Result<Model, string>> {
  if (text.length > MODEL_FILE_LIMITS.bytes) return err(`1:1: expected at most ${MODEL_FILE_LIMITS.bytes} bytes`);
  const parser = new SaxesParser({ xmlns: false, position: true });
  const reading = new Reading(reflection, text.length, () => [parser.line, parser.column + 1]);
  parser.on('opentag', tag => reading.open(tag.name, tag.attributes));
  parser.on('closetag', () => reading.close());
  parser.on('text', chunk => reading.text(chunk));
  parser.on('cdata', chunk => reading.text(chunk));
  parser.on('error', error => {
    // The parser puts the position before its message; all errors here have the same form.
    throw new XmlReadError(error.message.replace(/^\d+:\d+: /, ''), parser.line, parser.column + 1);
  });
  try {
    for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE));
      yield;
    }
    parser.close();
    return ok(yield* reading.finish());
  } catch (error) {
    if (error instanceof XmlReadError) return err(`${error.line}:${error.column}: ${error.message}`);
    if (error instanceof DecodeBudgetError)
      return err(`${parser.line}:${parser.column + 1}: expected ${error.message}`);
    if (error instanceof XmlValueError) {
      const { element } = error;
      return err(`${element.line}:${element.column}: ${error.message}`);
    }
    throw error;
  }
}

class XmlReadError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

interface OpenItem {
  readonly className: string;
  readonly referent: string;
  readonly values: Map<string, Variant>;
  readonly shared: Map<string, { readonly element: XmlElement; readonly type: SharedType }>;
  readonly unknownXml: Map<string, string>;
  readonly children: OpenItem[];
}
type OpenElement = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: OpenElement[] };

/** The position of the reader: the open elements and their meanings. */
type Frame =
  | { readonly kind: 'document' | 'roblox' | 'sharedStrings' | 'skipped' }
  | { readonly kind: 'item' | 'properties'; readonly item: OpenItem }
  | { readonly kind: 'value'; readonly item: OpenItem; readonly element: OpenElement }
  | { readonly kind: 'meta' | 'sharedString' | 'inner'; readonly element: OpenElement };

/** Builds the model of one file from its tags and texts, in order. */
class Reading {
  readonly #reflection: Reflection;
  readonly #position: () => readonly [line: number, column: number];
  readonly #frames: Frame[] = [{ kind: 'document' }];
  readonly #roots: OpenItem[] = [];
  readonly #referents = new Set<string>();
  readonly #metadata = new Map<string, string>();
  readonly #sharedStrings = new Map<string, Uint8Array>();
  readonly #budget: DecodeBudget;
  /** The last number that was tried as a referent. */
  #freeNumber = -1;
  #depth = 0;
  /** Elements that are open inside a property, or inside and including an unknown element. */
  #innerDepth = 0;

  constructor(reflection: Reflection, length: number, position: () => readonly [number, number]) {
    this.#reflection = reflection;
    this.#budget = new DecodeBudget(MODEL_FILE_LIMITS, length);
    this.#position = position;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const top = this.#top();
    this.#budget.take();
    const element = (): OpenElement => {
      const [line, column] = this.#position();
      return { name, attributes, text: '', children: [], line, column };
    };
    if (top.kind === 'document') {
      if (name !== 'roblox') this.#fail(`expected <roblox>, not <${name}>`);
      this.#frames.push({ kind: 'roblox' });
    } else if ((top.kind === 'roblox' || top.kind === 'item') && name === 'Item') this.#openItem(top, attributes);
    else if (top.kind === 'roblox' && name === 'Meta') this.#frames.push({ kind: 'meta', element: element() });
    else if (top.kind === 'roblox' && name === 'SharedStrings') this.#frames.push({ kind: 'sharedStrings' });
    else if (top.kind === 'sharedStrings' && name === 'SharedString')
      this.#frames.push({ kind: 'sharedString', element: element() });
    else if (top.kind === 'item' && name === 'Properties') this.#frames.push({ kind: 'properties', item: top.item });
    else if (top.kind === 'properties') this.#frames.push({ kind: 'value', item: top.item, element: element() });
    else this.#openInner(top, element);
  }

  text(chunk: string): void {
    const top = this.#top();
    if ('element' in top) top.element.text += chunk;
  }

  close(): void {
    const frame = this.#frames.pop();
    switch (frame?.kind) {
      case 'item':
        this.#depth--;
        return;
      case 'inner':
      case 'skipped':
        this.#innerDepth--;
        return;
      case 'value':
        return this.#addProperty(frame.item, frame.element);
      case 'meta':
        return void this.#metadata.set(frame.element.attributes['name'] ?? '', frame.element.text);
      case 'sharedString':
        return this.#addSharedString(frame.element);
      default:
        return;
    }
  }

  *finish(): PausableWork<Model> {
    const roots: ModelInstance[] = [];
    const open = this.#roots.toReversed().map(item => ({ item, into: roots }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const children: ModelInstance[] = [];
      next.into.push({ ...this.#finishItem(next.item), children });
      for (const item of next.item.children.toReversed()) open.push({ item, into: children });
      yield;
    }
    return { roots, metadata: this.#metadata };
  }

  #openItem(parent: Frame, attributes: Readonly<Record<string, string>>): void {
    const className = attributes['class'];
    if (className === undefined) this.#fail('expected a class on <Item>');
    if (++this.#depth > MAX_INSTANCE_DEPTH)
      this.#fail(`expected at most ${MAX_INSTANCE_DEPTH} levels of nested instances`);
    this.#budget.take(VALUES_PER_INSTANCE);
    const item: OpenItem = {
      className,
      referent: this.#newReferent(attributes['referent']),
      values: new Map(),
      shared: new Map(),
      unknownXml: new Map(),
      children: [],
    };
    (parent.kind === 'item' ? parent.item.children : this.#roots).push(item);
    this.#frames.push({ kind: 'item', item });
  }

  /** Hand-made files have duplicate or missing referents. The first instance keeps a duplicate one. */
  #newReferent(wanted: string | undefined): string {
    let referent = isNoReferent(wanted) ? undefined : wanted;
    // The number never decreases: otherwise a file with similar referents could make every search start again.
    while (referent === undefined || this.#referents.has(referent)) {
      this.#freeNumber = Math.max(this.#freeNumber + 1, this.#referents.size);
      referent = `#${this.#freeNumber}`;
    }
    this.#referents.add(referent);
    return referent;
  }

  /** Opens an element inside a property, or an unknown one. */
  #openInner(parent: Frame, createElement: () => OpenElement): void {
    if (++this.#innerDepth > MAX_ELEMENT_DEPTH)
      this.#fail(`expected at most ${MAX_ELEMENT_DEPTH} levels of nested elements`);
    if (parent.kind !== 'value' && parent.kind !== 'inner') return void this.#frames.push({ kind: 'skipped' });
    const element = createElement();
    parent.element.children.push(element);
    this.#frames.push({ kind: 'inner', element });
  }

  #addProperty(item: OpenItem, element: OpenElement): void {
    const name = element.attributes['name'];
    if (name === undefined) throw new XmlValueError('a name on the property', element);
    const shared = sharedTypeOf(element);
    if (shared !== undefined) {
      item.shared.set(name, { element, type: shared });
      return;
    }
    const value = readValue(element);
    if (value === undefined) item.unknownXml.set(name, formatElement(element));
    else item.values.set(name, value);
  }

  #addSharedString(element: OpenElement): void {
    const bytes = decodeBase64(element.text);
    if (bytes === undefined) throw new XmlValueError('base64', element);
    const key = (element.attributes['md5'] ?? '').trim();
    rememberSharedStringHash(bytes, decodeBase64(key));
    this.#sharedStrings.set(key, bytes);
  }

  #finishItem(item: OpenItem): Omit<ModelInstance, 'children'> {
    const { className, referent, unknownXml } = item;
    for (const [name, { element, type }] of item.shared)
      item.values.set(name, { type, value: this.#sharedStringOf(element) });
    const properties = readFileProperties(this.#reflection, className, item.values);
    for (const [name, value] of properties) properties.set(name, this.#withKnownReferent(value));
    const name = takeName(properties, className);
    return { referent, className, name, properties, ...(unknownXml.size > 0 ? { unknownXml } : {}) };
  }

  #sharedStringOf(element: XmlElement): Uint8Array {
    const bytes = this.#sharedStrings.get(element.text.trim());
    if (bytes === undefined) throw new XmlValueError('the md5 of one of the <SharedStrings>', element);
    return bytes;
  }

  #withKnownReferent(value: Variant): Variant {
    const known = (ref: Ref): Ref => (this.#referents.has(ref) ? ref : NULL_REF);
    if (value.type === 'Ref') return { type: 'Ref', value: known(value.value) };
    if (value.type !== 'Content' || value.value.kind !== 'object') return value;
    return { type: 'Content', value: { kind: 'object', ref: known(value.value.ref) } };
  }

  #top(): Frame {
    return this.#frames.at(-1) ?? { kind: 'document' };
  }

  #fail(message: string): never {
    const [line, column] = this.#position();
    throw new XmlReadError(message, line, column);
  }
}
