import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { readContainer } from '../../../../src/pluto/language/container/container.ts';
import { writeSections } from '../../../../src/pluto/language/container/byte-sections.ts';
import { csvOfContents } from '../../../../src/project/file-kinds/localization.ts';
import { ByteWriter } from '../../../../src/roblox/encoding/byte-writer.ts';
import { readCsv } from '../../../../src/roblox/formats/read-csv.ts';
import { parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import { writeEnd, writeHeader } from '../../../../src/roblox/formats/rbxm/chunks.ts';
import { readBinaryModel } from '../../../../src/roblox/formats/rbxm/read.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { readToml } from '../../../../src/roblox/formats/toml.ts';
import { readYaml } from '../../../../src/roblox/formats/yaml.ts';
import { assertLinearTime } from '../../../harness/linear-time.ts';
import { reflection } from '../../../harness/reflection.ts';

const MAX_MEMORY = 300 * 1024 * 1024;
function withinMemory<T>(read: () => T): T {
  const before = process.memoryUsage().rss;
  const result = read();
  assert.ok(process.memoryUsage().rss - before < MAX_MEMORY);
  return result;
}

/** An LZ4 block: `start`, then `zeros` zeros. */
function lz4WithZeros(start: readonly number[], zeros: number): Uint8Array {
  const literals = [...start, 0];
  const lengths = Math.floor((zeros - 25) / 255);
  const block = new ByteWriter();
  block.raw(Uint8Array.of(0xff, literals.length - 15, ...literals, 1, 0));
  block.raw(new Uint8Array(lengths).fill(255));
  block.raw(Uint8Array.of(zeros - 25 - 255 * lengths, 0x50, 0, 0, 0, 0, 0));
  return block.finish();
}

function fileDeclaring(count: number): Uint8Array {
  const number = new Uint8Array(Uint32Array.of(count).buffer);
  const name = [4, 0, 0, 0, ...Buffer.from('Part')];
  const start = [0, 0, 0, 0, ...name, 0, ...number, 1, 2, 3, 4, 5];
  const size = start.length + 1 + 4 * count + 1;
  const block = lz4WithZeros(start, 4 * count + 2);
  const file = new ByteWriter();
  writeHeader(file, 1, count);
  file.raw(Buffer.from('INST'));
  for (const value of [block.length, size, 0]) file.u32(value);
  file.raw(block);
  writeEnd(file);
  return file.finish();
}

test('refuses a binary model that declares 100 million instances in 1.6 MB', () => {
  const bytes = fileDeclaring(100_000_000);
  assert.ok(bytes.length < 1_700_000);
  const read = withinMemory(() => readBinaryModel(bytes, reflection, nodeInflate));
  assert.match(JSON.stringify(read), /too many instances/);
  const fewer = withinMemory(() => readBinaryModel(fileDeclaring(2_010_000), reflection, nodeInflate));
  assert.match(JSON.stringify(fewer), /at most 24000000 values/);
});

test('refuses an XML model with too many elements', () => {
  const xml = `<roblox version="4">${'<Item class="Part"/>'.repeat(200_000)}</roblox>`;
  assert.ok(readXmlModel(xml, reflection).ok);
  const many = `<roblox version="4">${'<a/>'.repeat(24_000_001)}</roblox>`;
  assert.match(JSON.stringify(readXmlModel(many, reflection)), /at most 24000000 values/);
});

test('reads an XML model in linear time when its referents look like generated ones', () => {
  const xml = (size: number): string => {
    const items = Array.from(
      { length: size },
      (_, index) => `<Item class="A" referent="#${size + index}"/><Item class="A"/>`,
    );
    return `<roblox version="4">${items.join('')}</roblox>`;
  };
  assertLinearTime(3_000, xml, text => assert.ok(readXmlModel(text, reflection).ok));
});

test('reads a YAML mapping in linear time, and refuses keys that are given twice', () => {
  const keys = (size: number): string => Array.from({ length: size }, (_, index) => `key${index}: 1\n`).join('');
  assertLinearTime(1_000, keys, text => assert.ok(readYaml(text).ok));
  assert.deepEqual(readYaml('a: 1\nb: 2\na: 3\n'), {
    ok: false,
    error: { line: 3, column: 1, expected: 'valid YAML (Map keys must be unique)' },
  });
});

test('stops at the second YAML document of many', () => {
  const before = process.cpuUsage();
  assert.match(JSON.stringify(readYaml('---\n'.repeat(100_000))), /one YAML document/);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

const tooMany = /at most \d+ (?:values|levels of nesting)/;
for (const [name, read] of [
  ['YAML', () => readYaml('- 1\n'.repeat(1_000_000))],
  ['YAML in one line', () => readYaml(`[${'1,'.repeat(1_000_000)}]`)],
  ['TOML', () => readToml(`a = [${'1,'.repeat(3_000_000)}]`)],
  ['TOML with a key of many dots', () => readToml(`${'a.'.repeat(100_000)}a = 1`)],
  ['CSV', () => readCsv('a,b\n'.repeat(1_500_000))],
  ['JSON', () => parseJsonDocument(`[${'1,'.repeat(3_000_000)}]`)],
] as const)
  test(`refuses ${name} beyond its budget before allocating the memory`, () => {
    assert.match(JSON.stringify(withinMemory(read)), tooMany);
  });

test('refuses a localization table with a locale for every entry', () => {
  const entries = Array.from({ length: 5_000 }, (_, index) => ({ key: `${index}`, values: { [`l${index}`]: 'a' } }));
  assert.deepEqual(csvOfContents(JSON.stringify(entries)), { ok: false, error: 'at most 2000000 cells' });
});

test('refuses a container whose outline is nested too deeply', () => {
  const section = (tag: string, text: string) => ({ tag, isRequired: true, bytes: Buffer.from(text) });
  const meta = '{"encoding":"utf-8","module":"a","revision":1,"schema":16,"tool":{"name":"a","version":"1"}}';
  const outline = '[{"children":'.repeat(20_000) + '[]' + '}]'.repeat(20_000);
  const sections = [section('META', meta), section('SRCE', ''), section('AST0', outline)];
  const file = writeSections(sections, bytes => nodeHasher.sha256(bytes));
  const read = readContainer(file, nodeHasher);
  assert.equal(read.ok ? 'read' : read.error.code, 'outline_malformed');
});
