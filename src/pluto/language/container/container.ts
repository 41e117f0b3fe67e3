import { DecodeBudgetError, type DecodeLimits } from '../../../base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../../base/decode/paced-json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { runToEnd } from '../../../base/time-slice.ts';
import type { Hasher } from '../../../ports/hasher.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import { parseModule } from '../syntax/parse.ts';
import { readSections, SCHEMA, type Section, writeSections } from './byte-sections.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ContainerProblem } from './container-problem.ts';
import { adoptOutline, type OutlineItem, outlineFromJson, outlineOf, outlineToJson } from './outline.ts';

/** The origin of a container, without a time, so that equal content has equal bytes. */
export interface ContainerMeta {
  /** The dotted name of the module, for people. */
  readonly module: string;
  /** The program that wrote it. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Counts the writes of this module. */
  readonly revision: number;
}

export interface Container {
  readonly meta: ContainerMeta;
  /** Every item has an id. The text has LF line ends and no byte-order mark. */
  readonly module: ParsedModule;
  /** All optional sections in the order of the file, known and unknown; they are written back unchanged. */
  readonly optional: readonly Section[];
}

/** Limits of a JSON section. The nesting of an outline equals that of the declarations in its text. */
const SECTION_LIMITS: DecodeLimits = { bytes: 64 * 1024 * 1024, depth: 512, elements: 2_000_000 };

type Sha256 = Pick<Hasher, 'sha256'>;

/** The canonical bytes. @throws Error when an item has no id */
export function writeContainer({ meta, module, optional }: Container, hasher: Sha256): Uint8Array {
  const encoder = new TextEncoder();
  const json = (tag: string, value: Parameters<typeof canonicalJson>[0]): Section => ({
    tag,
    isRequired: true,
    bytes: encoder.encode(canonicalJson(value)),
  });
  const { revision, tool } = meta;
  const sections: readonly Section[] = [
    json('META', {
      encoding: 'utf-8',
      module: meta.module,
      revision,
      schema: SCHEMA,
      tool: { name: tool.name, version: tool.version },
    }),
    { tag: 'SRCE', isRequired: true, bytes: encoder.encode(module.text) },
    json('AST0', outlineToJson(outlineOf(module))),
    ...optional,
  ];
  return writeSections(sections, bytes => hasher.sha256(bytes));
}

/** A container whose text and outline may disagree. Then `module` has no ids, and `outline` is that of the file. */
export interface DirtyContainer extends Container {
  readonly outline: readonly OutlineItem[];
  /** Undefined if the container is valid and every item has an id. */
  readonly disagreement: ContainerProblem | undefined;
}

/**
 * The whole container, or the reason why it is unreadable. An outline that does not match the text is a problem too: `outline_disagrees`.
 */
export function readContainer(bytes: Uint8Array, hasher: Sha256): Result<Container, ContainerProblem> {
  const read = readDirtyContainer(bytes, hasher);
  if (!read.ok) return read;
  const { disagreement } = read.value;
  return disagreement === undefined ? read : err(disagreement);
}

/** Reads like `readContainer`, for repairs. */
export function readDirtyContainer(bytes: Uint8Array, hasher: Sha256): Result<DirtyContainer, ContainerProblem> {
  const sections = readSections(bytes, content => hasher.sha256(content));
  if (!sections.ok) return sections;
  const required = pickRequired(sections.value);
  if (!required.ok) return required;
  const { META, SRCE, AST0 } = required.value;
  const meta = readMeta(META);
  if (!meta.ok) return meta;
  const text = decodeUtf8(SRCE);
  if (text === undefined) return err({ code: 'text_malformed', reason: 'SRCE is not UTF-8' });
  const json = parseJson(AST0);
  if (json === undefined) return err({ code: 'outline_malformed', reason: 'AST0 is not JSON' });
  const outline = outlineFromJson(json.value);
  if (!outline.ok) return outline;
  const module = parseModule(text);
  const adopted = adoptOutline(module, outline.value);
  const optional = sections.value.filter(({ isRequired }) => !isRequired);
  const disagreement = adopted.ok ? undefined : adopted.error;
  return ok({ meta: meta.value, module, optional, outline: outline.value, disagreement });
}

const requiredTags = ['META', 'SRCE', 'AST0'] as const;
type RequiredTag = (typeof requiredTags)[number];

function pickRequired(
  sections: readonly Section[],
): Result<Readonly<Record<RequiredTag, Uint8Array>>, ContainerProblem> {
  const found = new Map<string, Uint8Array>();
  for (const { tag, isRequired, bytes } of sections) {
    if (found.has(tag)) return err({ code: 'section_duplicate', reason: `section ${tag} is duplicated` });
    found.set(tag, bytes);
    if (isRequired && !requiredTags.some(known => known === tag))
      return err({
        code: 'section_unknown',
        reason: `required section ${tag} is not supported by this version`,
      });
  }
  const [META, SRCE, AST0] = requiredTags.map(tag => found.get(tag));
  if (META === undefined || SRCE === undefined || AST0 === undefined)
    return err({ code: 'section_missing', reason: `one of ${requiredTags.join(', ')} is missing` });
  return ok({ META, SRCE, AST0 });
}

function readMeta(bytes: Uint8Array): Result<ContainerMeta, ContainerProblem> {
  const malformed = (reason: string) => err<ContainerProblem>({ code: 'meta_malformed', reason });
  const value = parseJson(bytes)?.value;
  if (typeof value !== 'object' || value === null) return malformed('META is not a JSON object');
  const { module, revision, tool, encoding } = value as Readonly<Record<string, unknown>>;
  if (typeof module !== 'string' || typeof revision !== 'number') return malformed('META has no module or revision');
  if (encoding !== 'utf-8') return malformed('the encoding in META is not utf-8');
  if (typeof tool !== 'object' || tool === null) return malformed('META has no tool');
  const { name, version } = tool as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof version !== 'string')
    return malformed('META has no name or version of the tool');
  return ok({ module, revision, tool: { name, version } });
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: runToEnd(parseJsonPausable(bytes, SECTION_LIMITS)) };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeBudgetError) return undefined;
    throw error;
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
