import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeWholeFile, replaceWholeFile } from '../adapters/fs/write-whole-file.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { createJsonStudioKeys, installedStudioKey, studioKeysFile } from '../adapters/node/json-studio-keys.ts';
import { createNodePluginFiles } from '../adapters/node/node-plugin-files.ts';
import { userStateFolder } from '../adapters/node/state-folder.ts';
import { thisMachine } from '../adapters/node/this-machine.ts';
import { isBundled } from '../base/is-bundled.ts';
import { err, ok, type Result } from '../base/result.ts';
import { createPluginDelivery, PLUGIN_FILE, type PluginDeliveryDeps } from '../studio/delivery/plugin-delivery.ts';
import { answerDone, answerFailed } from './command-answer.ts';
import type { CliIo } from './io.ts';
import { type Command, parseOptions, runCommand } from './run-command.ts';
import { suggestName } from '../base/suggest-name.ts';
import { pluginSpec } from './table/tool-specs.ts';

interface PluginArgs {
  readonly action: 'install' | 'uninstall' | 'change-key';
  readonly json: boolean;
}

const pluginCommand: Command<PluginArgs> = { spec: pluginSpec, read: readPluginArgs };

function readPluginArgs(args: readonly string[]): Result<PluginArgs | 'help', string> {
  const parsed = parseOptions(args, pluginSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [action, unexpected] = positionals;
  if (action !== 'install' && action !== 'uninstall' && action !== 'change-key')
    return err(
      action === undefined
        ? 'plugin requires install, uninstall or change-key'
        : `unknown command 'plugin ${action}'${suggestName(action, ['install', 'uninstall', 'change-key'])}`,
    );
  if (unexpected !== undefined) return err(`unexpected argument '${unexpected}'`);
  return ok({ action, json: values.json === true });
}

/** The parts that a test replaces. */
export type PluginHost = Pick<PluginDeliveryDeps, 'machine' | 'plugin'>;

/** `atlas-bridge plugin`. Resolves with the exit code. */
export function runPlugin(args: readonly string[], io: CliIo, host: PluginHost = ownHost): Promise<number> {
  return runCommand(pluginCommand, args, io, async ({ action, json }) => {
    const answer = { json, io };
    try {
      const state = userStateFolder(io.env);
      const delivery = createPluginDelivery({
        ...host,
        files: createNodePluginFiles(join(state, 'studio-plugin.json'), {
          replace: replaceWholeFile,
          remove: removeWholeFile,
        }),
        hasher: nodeHasher,
        key: installedStudioKey(io.env),
        version: io.version,
      });
      if (action === 'change-key') await createJsonStudioKeys(studioKeysFile(state)).rotate();
      const { changed, current } = await {
        install: () => delivery.install(),
        uninstall: () => delivery.remove(),
        'change-key': () => delivery.update(),
      }[action]();
      const done = { install: 'Installed', uninstall: 'Removed', 'change-key': 'Updated' }[action];
      const words = [
        ...(action === 'change-key'
          ? ['The Studio key was changed. Restart Roblox Studio, and pair the plugins of other computers again.']
          : []),
        ...changed.map(path => `${done} ${path}`),
        ...current.map(path => `${path} is up to date`),
        ...(changed.length + current.length === 0 ? ['The plugin is not installed by this program.'] : []),
      ];
      return answerDone({ changed, current }, words, answer);
    } catch (error) {
      return answerFailed(error, [], answer);
    }
  });
}

const ownHost: PluginHost = {
  machine: thisMachine(),
  plugin: () => {
    // A program that runs from its source finds the plugin in the folder of the build.
    const folder = isBundled(import.meta.url) ? '.' : '../../dist';
    return readFile(new URL(`${folder}/${PLUGIN_FILE}`, import.meta.url));
  },
};
