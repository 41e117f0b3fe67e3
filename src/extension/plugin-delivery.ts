import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { removeWholeFile, replaceWholeFile } from '../adapters/fs/write-whole-file.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { installedStudioKey } from '../adapters/node/json-studio-keys.ts';
import { createNodePluginFiles } from '../adapters/node/node-plugin-files.ts';
import { thisMachine } from '../adapters/node/this-machine.ts';
import { createPluginDelivery, PLUGIN_FILE, type PluginDelivery } from '../studio/delivery/plugin-delivery.ts';

/** The path of the Studio plugin that is bundled with the extension. */
export const bundledPlugin = ({ extensionUri }: vscode.ExtensionContext): string =>
  vscode.Uri.joinPath(extensionUri, 'dist', PLUGIN_FILE).fsPath;

/** Creates the delivery of the bundled Studio plugin to Studio's Plugins folder. */
export function deliverPlugin(context: vscode.ExtensionContext, version: string): PluginDelivery {
  const receipt = vscode.Uri.joinPath(context.globalStorageUri, 'studio-plugin.json').fsPath;
  return createPluginDelivery({
    files: createNodePluginFiles(receipt, { replace: replaceWholeFile, remove: removeWholeFile }),
    hasher: nodeHasher,
    machine: thisMachine(),
    key: installedStudioKey(process.env),
    plugin: () => readFile(bundledPlugin(context)),
    version,
  });
}
