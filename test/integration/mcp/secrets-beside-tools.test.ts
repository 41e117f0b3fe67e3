import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretName } from '../../../src/base/secret-names.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { createDocsResources } from '../../../src/docs/tools/docs-resources.ts';
import { compatTools } from '../../../src/docs/tools/compat/compat-tools.ts';
import { retrievalOfHost } from '../../../src/docs/retrieval.ts';
import { docsClient } from '../../harness/docs-client.ts';
import { connectClient } from '../../harness/mcp-client.ts';
import { rootHost } from '../../harness/root-host.ts';
import { ends, pairsOf, placesOf, SEARCHED, SECRET, startSecretsWorld } from '../../harness/secrets-world.ts';
import { toolCall } from '../../harness/tool-call.ts';

type Ask = (place: string) => Promise<string>;

/** The text of an answer, without the requested place. */
const withoutPlace = (text: string, place: string): string =>
  [place, encodeURIComponent(place), encodeURI(place), JSON.stringify(place).slice(1, -1)].reduce(
    (shown, spelling) => shown.replaceAll(spelling, 'PLACE'),
    text,
  );

/**
 * Asks for every secret, and returns what was revealed: a secret, or whether there is one.
 *
 * @param tried the extensions to try
 * @param hasProcess whether each question takes a process: a few places are enough
 */
async function revealed(
  ask: Ask,
  here: string,
  tried: readonly string[],
  hasProcess?: boolean,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const answerFor = async (place: string): Promise<string> => {
    const text = await ask(place);
    if (text.includes(SECRET)) problems.push(`${place} is revealed`);
    return withoutPlace(text, place).replaceAll(/duration_ms\W+[\d.]+/g, '');
  };
  for (const end of tried) {
    if (hasProcess !== true) for (const place of placesOf(here)) await answerFor(place + end);
    for (const [there, missing] of pairsOf(here, end)) {
      const [one, other] = [await answerFor(there), await answerFor(missing)];
      if (one !== other) problems.push(`${there}: ${one}\nbut for ${missing}: ${other}`);
    }
  }
  return problems;
}

/** The extensions of the files that a resource is about. */
const endsOf = (uriTemplate: string): readonly string[] =>
  uriTemplate.startsWith('pluto:') ? ['', '.pluto', '.pt'] : uriTemplate.includes('fsPath') ? ['', '.luau'] : [''];

test('no MCP resource reveals a secret, or whether one exists', async () => {
  await using made = await startSecretsWorld();
  await using connected = await connectClient(made.bridge.mcpUrl, made.bridge.token);
  const { client } = connected;
  const read = async (uri: string): Promise<string> => {
    try {
      return JSON.stringify((await client.readResource({ uri })).contents).replaceAll(uri, 'URI');
    } catch (error) {
      return String(error).replaceAll(uri, 'URI');
    }
  };
  const { resourceTemplates } = await client.listResourceTemplates();
  // A new template is attacked too.
  assert.ok(resourceTemplates.length >= 4, `${resourceTemplates.length} templates`);
  for (const { uriTemplate } of resourceTemplates) {
    const start = uriTemplate.slice(0, uriTemplate.indexOf('{'));
    for (const encode of [encodeURIComponent, encodeURI]) {
      const found = await revealed(place => read(start + encode(place)), made.at('.'), endsOf(uriTemplate));
      assert.deepEqual(found, [], uriTemplate);
    }
  }
  for (const { uri } of (await client.listResources()).resources) assert.ok(!(await read(uri)).includes(SECRET), uri);
});

test('no completion and no prompt reveals a secret, or the name of one', async () => {
  await using made = await startSecretsWorld();
  await using connected = await connectClient(made.bridge.mcpUrl, made.bridge.token);
  const { client } = connected;
  const { prompts } = await client.listPrompts();
  const { resourceTemplates } = await client.listResourceTemplates();
  const owners = [
    ...prompts.flatMap(({ name, arguments: given = [] }) =>
      given.map(argument => ({ ref: { type: 'ref/prompt', name } as const, argument: argument.name })),
    ),
    ...resourceTemplates.flatMap(({ uriTemplate }) =>
      Array.from(uriTemplate.matchAll(/\{\+?(\w+)\}/g), ([, argument = '']) => ({
        ref: { type: 'ref/resource', uri: uriTemplate } as const,
        argument,
      })),
    ),
  ];
  assert.ok(owners.length >= 4, `${owners.length} arguments`);
  let offered = 0;
  for (const { ref, argument } of owners)
    for (const value of ['', ...placesOf(made.at('.'))]) {
      const { completion } = await client.complete({ ref, argument: { name: argument, value } });
      offered += completion.values.length;
      const names = completion.values.flatMap(one => one.split('/'));
      assert.deepEqual(
        // A link to a file of the project is a script like any other.
        names.filter(
          name =>
            name.includes(SECRET) ||
            isSecretName(name) ||
            /^(?:keys|id\.pem|outside|(?:env|git|out|up|state|gone)-link.*)$/.test(name),
        ),
        [],
        argument,
      );
    }
  assert.ok(offered > 0);
  for (const { name } of prompts)
    for (const path of placesOf(made.at('.'))) {
      const { messages } = await client.getPrompt({ name, arguments: { path } });
      assert.ok(!JSON.stringify(messages).includes(SECRET), name);
    }
});

test('no tool for old clients reveals a secret, or whether one exists', async () => {
  await using made = await startSecretsWorld();
  const { compat } = docsClient({ DOCS_ROOT: made.at('game/docs'), CODE_ROOT: made.at('game') });
  const more: Readonly<Record<string, object>> = {
    get_snippet: { start_line: 1, end_line: 9 },
    search: { query: SEARCHED },
    smart_search: { query: SEARCHED },
  };
  for (const { name, inputSchema } of compatTools) {
    const properties = Object.keys(inputSchema['properties'] as object);
    const locations = properties.filter(argument =>
      ['path', 'scope', 'file_glob', 'include', 'exclude'].includes(argument),
    );
    assert.notEqual(locations.length, 0, name);
    for (const argument of locations)
      for (const repo of ['docs', 'code']) {
        const ask: Ask = async place => {
          const path = properties.includes('path') ? { path: 'a.md' } : {};
          const selected = argument === 'scope' ? { ...path, scope: place } : { ...path, repo, [argument]: place };
          try {
            const answer = await compat.call(name, { ...more[name], ...selected }, toolCall());
            return JSON.stringify(answer);
          } catch (error) {
            return `${String(error)} ${JSON.stringify(error)}`;
          }
        };
        const isSearch = argument !== 'path';
        const found = await revealed(ask, made.at('.'), isSearch ? [''] : ends, isSearch);
        assert.deepEqual(found, [], `${name} with ${argument}`);
      }
  }
});

test('no list of roots shows a token in an address', async () => {
  const variables = {
    DOCS_ROOTS: 'far',
    ROOT_FAR_GIT_URL: `https://host.test/x.git?token=${SECRET}`,
    ROOT_FAR_GIT_REF: 'main',
    WORKSPACE_DOCS_CACHE: '/nonexistent',
  };
  const docs = docsClient(variables);
  const answers = [
    await docs.call('roots_list'),
    await docs.call('repo_status', { root: 'far' }),
    await docs.call('list_dir', { path: '' }),
    await docs.call('search', { query: 'a' }),
  ].map(answer => JSON.stringify(answer));
  for (const tool of ['roots_list', 'list_dir'])
    answers.push(JSON.stringify(await docs.compat.call(tool, {}, toolCall())?.catch(String)));
  const resources = createDocsResources(retrievalOfHost(rootHost(variables), nodeClock), undefined);
  answers.push(JSON.stringify(await resources.read('atlas://roots', new AbortController().signal)));
  assert.equal(answers.filter(answer => answer.includes('host.test')).length, 3);
  for (const answer of answers) assert.ok(!answer.includes(SECRET), answer);
});
