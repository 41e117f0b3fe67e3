/** The command for the tests of a game. */
import type { CommandSpec } from './command-spec.ts';
import { dialectOption, projectArgument } from './shared-options.ts';

export const testSpec = {
  name: 'test',
  summary: "Run a game's tests in headless Studio",
  description:
    'Run the tests of a game (*.spec.luau and *.test.luau) in headless Studio: each file in a new place that is built from the project.',
  arguments: [projectArgument],
  options: {
    place: {
      type: 'string',
      value: 'file',
      text: 'Place or model file to add the project to, for instances that the project does not contain',
    },
    filter: {
      type: 'string',
      value: 'text',
      multiple: true,
      text: 'Run only tests whose name (file > block > test) contains this text; may be repeated',
    },
    reporter: {
      type: 'string',
      value: 'format',
      choices: ['text', 'tap', 'junit'],
      text: 'Format of the report: text, tap or junit [default: text]',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'file',
      text: 'Write the tap or junit report to this file; - is standard output',
    },
    timeout: { type: 'string', value: 'seconds', text: 'Time limit of each test, with its hooks [default: 10]' },
    memory: { type: 'string', value: 'megabytes', text: 'Memory limit of each file [default: 512]' },
    dialect: dialectOption,
    json: {
      type: 'boolean',
      text: 'Print one JSON object per line: each test when it starts and ends, and the totals',
    },
  },
  notes:
    'Headless Studio simulates no physics, rendering, networking or players: docs/game-tests.md lists what tests can use.',
  exitCodes: '0 all tests passed, 1 a test failed or none was found, 2 wrong usage',
} as const satisfies CommandSpec;
