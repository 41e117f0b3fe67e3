import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import { parseStatus } from '../../src/adapters/git/parse-status.ts';
import { FrameSplitter } from '../../src/adapters/ws/split-frames.ts';
import type { ProjectPath } from '../../src/base/brand.ts';
import { DecodeBudgetError } from '../../src/base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../src/base/decode/paced-json.ts';
import { compileGlob } from '../../src/base/globs/glob.ts';
import { parseIgnoreRules, verdictOf } from '../../src/base/globs/ignore-rules.ts';
import { runToEnd } from '../../src/base/time-slice.ts';
import { csvOfContents } from '../../src/project/file-kinds/localization.ts';
import { contentsOfCsv } from '../../src/project/file-kinds/read-localization.ts';
import { decodeMsgpack } from '../../src/protocol/msgpack/decode.ts';
import { encodeMsgpack } from '../../src/protocol/msgpack/encode.ts';
import { MsgpackError } from '../../src/protocol/msgpack/msgpack-error.ts';
import { MESSAGE_LIMITS } from '../../src/protocol/limits.ts';
import { readMessage } from '../../src/protocol/studio/read-message.ts';
import { AddedInstance, WriteRequest } from '../../src/protocol/studio/requests.ts';
import { readSections, writeSections } from '../../src/pluto/language/container/byte-sections.ts';
import { readContainer, writeContainer } from '../../src/pluto/language/container/container.ts';
import { carryIds } from '../../src/pluto/language/identity/carry-ids.ts';
import { derivedIds } from '../../src/pluto/language/identity/ids.ts';
import { readManifest } from '../../src/pluto/language/modules/manifest.ts';
import { parseModule } from '../../src/pluto/language/syntax/parse.ts';
import { FormatError } from '../../src/roblox/encoding/byte-reader.ts';
import { ByteWriter } from '../../src/roblox/encoding/byte-writer.ts';
import { readAttributesBlob } from '../../src/roblox/formats/attributes-blob.ts';
import { parseJsonDocument } from '../../src/roblox/formats/json5-document.ts';
import {
  readChunks,
  type WrittenChunk,
  writeChunk,
  writeEnd,
  writeHeader,
} from '../../src/roblox/formats/rbxm/chunks.ts';
import { compressLz4, decompressLz4 } from '../../src/roblox/formats/rbxm/lz4-block.ts';
import { readBinaryModel } from '../../src/roblox/formats/rbxm/read.ts';
import { readXmlModel } from '../../src/roblox/formats/rbxmx/read.ts';
import { createReflection } from '../../src/roblox/instances/reflection.ts';
import { readToml } from '../../src/roblox/formats/toml.ts';
import { readYaml } from '../../src/roblox/formats/yaml.ts';
import { bytesOrStructure, expecting, ofJson, ofText, seeds, type Target, text, utf8 } from './inputs.ts';
import { editDocument } from './edit-document.ts';
import { messageTargets } from './message-targets.ts';
import { mutateBytes, mutateValue } from './mutate.ts';
import { stateTargets } from './state-targets.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const reflection = createReflection(readFileSync(join(root, 'src/roblox/instances/reflection.generated.json'), 'utf8'));
const ofMsgpack = bytesOrStructure((dice, seed) => encodeMsgpack(mutateValue(dice, decodeMsgpack(seed))));

/** Changes bytes in one decompressed chunk, so that the header and the compression stay valid. */
const ofChunks = bytesOrStructure((dice, seed) => {
  const chunks = Array.from(readChunks(seed, nodeInflate));
  const changed = dice.below(chunks.length);
  const file = new ByteWriter();
  writeHeader(file, 1, 1);
  for (const [index, { name, data }] of chunks.entries()) {
    const content = new ByteWriter();
    content.raw(index === changed ? mutateBytes(dice, data.bytes, data.bytes) : data.bytes);
    writeChunk(file, name as WrittenChunk, content);
  }
  writeEnd(file);
  return file.finish();
});

/** Changes one section, so that the table and the hash stay valid. */
const ofSections = bytesOrStructure((dice, seed) => {
  const sections = readSections(seed, bytes => nodeHasher.sha256(bytes));
  if (!sections.ok) return seed;
  const changed = dice.below(sections.value.length);
  const next = sections.value.map((section, index) => {
    if (index !== changed) return section;
    const isJson = ['META', 'AST0'].includes(section.tag) && dice.below(2) === 0;
    const bytes = isJson
      ? utf8.encode(JSON.stringify(mutateValue(dice, JSON.parse(text(section.bytes)))) ?? '')
      : mutateBytes(dice, section.bytes, section.bytes);
    return { ...section, bytes };
  });
  return writeSections(next, bytes => nodeHasher.sha256(bytes));
});

const MAX_SEED_BYTES = 6_000;
/** The smallest files of that ending in a folder. */
function files(folder: string, ending: string): [Uint8Array, ...Uint8Array[]] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => readFileSync(join(root, folder, name)))
    .filter(bytes => bytes.length <= MAX_SEED_BYTES)
    .toSorted((a, b) => a.length - b.length)
    .slice(0, 12);
  const [first, ...others] = found;
  if (first === undefined) throw new Error(`no seeds *${ending} in ${folder}`);
  return [first, ...others];
}
const messages = [
  { type: 'hello', placeId: 1, placeName: 'Place', capabilities: ['acknowledgedApply'], studioId: 'a' },
  { type: 'compared', requestId: '1', place: { name: 'a', placeId: 1 }, messageCursor: 1, overrides: [], changes: [{ id: 'a', patchType: 'Edit', path: 'a/b', name: 'b', className: 'Part', parentId: 'c', sourceDiffers: false, properties: { Size: { current: { Vector3: [1, 2, 3] } } } }] },
  { type: 'instances', requestId: '1', missing: ['a'], instances: [{ id: 'a', name: 'a', className: 'Part', properties: { Name: { String: 'a' } }, children: [] }] },
  { type: 'applied', requestId: '1', results: [{ id: 'a', ok: false, code: 'engine', reason: 'b' }] },
  { type: 'liveEdit', seq: 1, edits: [{ id: 'a', source: 'b', baseHash: 'c', properties: {}, base: [] }] },
] as const; // prettier-ignore
const write = { sessionId: 'a', removed: ['a'], updated: [{ id: 'a', changedName: 'b', changedProperties: { A: { Bool: true } } }], added: { a: { parent: 'b', name: 'c', className: 'Part', properties: {}, children: [{ name: 'd', className: 'Folder', properties: {}, children: [] }] } }, stageIds: [] }; // prettier-ignore

const pluto = `import std.math\n\n/// A point.\npub class Point<T> {\n    x: int\n    y: T\n    invariant self.x >= 0\n    fn moved(mut self, by: int) int\n        requires by > 0\n    {\n        self.x += by\n        return self.x\n    }\n}\n\npub enum Shape { Circle { radius: float } Square }\n\nfn main() {\n    let all = [1, 2, 3]\n    for n in all { if n > 1 { print(f"{n + 1} of {all.len()}") } else { break } }\n    match Shape.Square { Shape.Circle { radius } { print(radius) } else { print("no") } }\n}\n\ntest "adds" { expect 1 + 1 == 2 }\n`;
function containerOf(source: string): Uint8Array {
  const module = parseModule(source);
  carryIds({ before: undefined, after: module, makeId: derivedIds(nodeHasher, 'fuzz') });
  const meta = { module: 'fuzz', tool: { name: 'fuzz', version: '1' }, revision: 1 };
  return writeContainer({ meta, module, optional: [] }, nodeHasher);
}
const block = (input: string): Uint8Array => compressLz4(utf8.encode(input));

export const targets: readonly Target[] = [
  {
    name: 'json',
    seeds: seeds(JSON.stringify(messages), JSON.stringify(write, undefined, 2), '"\\u00e9\\ud83d\\ude00"'),
    mutate: bytesOrStructure((dice, seed, other) => (dice.below(2) === 0 ? ofJson : ofText)(dice, seed, other)),
    run: input =>
      expecting([JsonSyntaxError, DecodeBudgetError], () => runToEnd(parseJsonPausable(input, MESSAGE_LIMITS))),
  },
  {
    name: 'msgpack',
    seeds: [
      encodeMsgpack(write),
      encodeMsgpack(messages),
      encodeMsgpack([1.5, -1, 2 ** 40, 'ü'.repeat(40), new Uint8Array(9)]),
    ],
    mutate: ofMsgpack,
    run: input => expecting([MsgpackError], () => decodeMsgpack(input)),
  },
  {
    name: 'studio-message',
    seeds: seeds(JSON.stringify(messages[0]), ...messages.slice(1).map(message => JSON.stringify(message))),
    mutate: ofJson,
    run: input =>
      expecting([JsonSyntaxError, DecodeBudgetError], () =>
        runToEnd(readMessage(runToEnd(parseJsonPausable(input, MESSAGE_LIMITS)))),
      ),
  },
  {
    name: 'write-request',
    seeds: [encodeMsgpack(write)],
    mutate: ofMsgpack,
    run: input =>
      expecting([MsgpackError], () => {
        const parsed = WriteRequest.safeParse(decodeMsgpack(input));
        if (parsed.success) for (const added of Object.values(parsed.data.added)) AddedInstance.safeParse(added);
      }),
  },
  {
    name: 'websocket-frames',
    seeds: [
      Uint8Array.of(0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      Uint8Array.of(0x01, 0xfe, 0, 2, 1, 2, 3, 4, 5, 6, 0x80, 0x80, 1, 2, 3, 4),
    ],
    mutate: mutateBytes,
    run(input) {
      const splitter = new FrameSplitter();
      for (let at = 0; at < input.length; at += 7) splitter.take(Buffer.from(input.subarray(at, at + 7)));
    },
  },
  {
    name: 'rbxm',
    seeds: files('test/fixtures', '.rbxm'),
    mutate: ofChunks,
    run: input => void readBinaryModel(input, reflection, nodeInflate),
  },
  {
    name: 'lz4',
    seeds: [block('abcabcabc'.repeat(50)), block('x'.repeat(1_000)), block('no repetition')],
    mutate: mutateBytes,
    run: input => expecting([FormatError], () => decompressLz4(input, 1_000)),
  },
  {
    name: 'rbxmx',
    seeds: files('test/fixtures', '.rbxmx'),
    mutate: ofText,
    run: input => void readXmlModel(text(input), reflection),
  },
  {
    name: 'attributes',
    seeds: [
      Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0x61, 2, 1, 0, 0, 0, 0x62),
      Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0x61, 6, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f),
    ],
    mutate: mutateBytes,
    run: input => void readAttributesBlob(input),
  },
  {
    name: 'yaml',
    seeds: seeds(
      'a: 1\nb: [x, "y", {c: null}]\nd:\n  - e: |\n      text\n    f: >-\n      more\n',
      '- 0x10\n- ~\n- !!str 1\n- 2001-01-01\n',
      '? a\n: b\n',
    ),
    mutate: ofText,
    run: input => void readYaml(text(input)),
  },
  {
    name: 'toml',
    seeds: seeds(
      'a = 1\nb.c = "x"\n[d]\ne = [1.5, {f = 2020-01-01}]\n[[g]]\nh = """x\ny"""\n',
      'x = 0xff\ny = inf\nz = 1_000\n',
    ),
    mutate: ofText,
    run: input => void readToml(text(input)),
  },
  {
    name: 'csv',
    seeds: seeds('Key,Source,Context,Example,en,de\na,b,c,d,e,"f ""g"""\n', 'a,b\r\n1,2\r\n'),
    mutate: ofText,
    run: input => void contentsOfCsv(text(input)),
  },
  {
    name: 'localization',
    seeds: seeds('[{"key":"a","source":"b","values":{"de":"c","en":"d"}},{"examples":"e","values":{}}]'),
    mutate: ofJson,
    run: input => void csvOfContents(text(input)),
  },
  {
    name: 'json5',
    seeds: seeds(
      '{\n  // c\n  a: 1, "b": [0x1, .5, +Infinity,], /* d */ \'e\': {f: null}\n}\n',
      JSON.stringify(write, undefined, 2),
    ),
    mutate: ofText,
    run: input => void parseJsonDocument(text(input)),
  },
  {
    name: 'json5-edits',
    seeds: seeds(
      '{\n  // c\n  a: 1, "b": [0x1, .5, +Infinity,], /* d */ \'e\': {f: null}\n}\n',
      '{"a":{"b":[{"c":1},\n\t2 // d\n]},\r\n"a":{ /* e */ }}',
      '[\n  {a: 1,},\n  [/* b */], "c"\n]',
    ),
    mutate: ofText,
    run: input => editDocument(text(input)),
  },
  {
    name: 'pluto-container',
    seeds: [containerOf('fn main() {\n    print(1)\n}\n'), containerOf(pluto)],
    mutate: ofSections,
    run: input => void readContainer(input, nodeHasher),
  },
  {
    name: 'pluto',
    seeds: seeds(pluto),
    mutate: ofText,
    run: input => void parseModule(text(input)),
  },
  {
    name: 'pluto-manifest',
    seeds: seeds(
      '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\nb = { path = "../b" }\nc = { git = "https://x", tag = "1" }\n',
    ),
    mutate: ofText,
    run: input => void readManifest('pluto.toml' as ProjectPath, text(input)),
  },
  {
    name: 'glob',
    seeds: seeds('src/**/*.{lua,luau}', '!a[b-d]?\\*', '/build/\n*.tmp\n!keep.tmp\n# c\n'),
    mutate: ofText,
    run(input) {
      const pattern = text(input).slice(0, 1_000);
      const glob = compileGlob(pattern, 'names');
      if (glob.ok) glob.value('src/a/b/c.luau');
      verdictOf(parseIgnoreRules(pattern), 'build/a/b.tmp', false);
    },
  },
  {
    name: 'git-status',
    seeds: seeds(
      `1 .M N... 100644 100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} a b.luau\0? c/\0! d\0u UU N... 1 2 3 4 ${'a'.repeat(40)} ${'b'.repeat(40)} ${'c'.repeat(40)} e\0`,
    ),
    mutate: ofText,
    run: input => void parseStatus(text(input)),
  },
  ...stateTargets,
  ...messageTargets,
];
