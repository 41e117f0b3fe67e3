import { withUnixLineEnds } from '../../base/line-ends.ts';
import { ok } from '../../base/result.ts';
import { ScriptProperties } from '../../roblox/instances/script-properties.ts';
import { contentFile } from './file-snapshot.ts';
import { readText } from '../snapshot/pass.ts';
import { type FileKind, type FileSuffix, type ReadContent, type ScriptSettings, takeText } from './file-kind.ts';
import { withSource } from './keep-layout.ts';

/** The values of Enum.RunContext. */
const RUN_CONTEXT = { Legacy: 0, Server: 1, Client: 2, Plugin: 3 } as const;

interface ScriptClass {
  readonly className: string;
  readonly runContext?: keyof typeof RUN_CONTEXT;
}

/**
 * The Source is the text of a script file with LF line ends and without a byte-order mark, which Luau cannot read. A write back to the file
 * keeps the file's byte-order mark and line ends.
 */
const source = { property: 'Source', write: (value: string, before: string) => ok(withSource(before, value)) };

/** The Source of a script file with that text. */
export const sourceOf = (text: string): string => withUnixLineEnds(text.replace(/^\uFEFF/, ''));

interface ScriptKindOptions {
  readonly name: string;
  readonly syncRuleNames: readonly string[];
  /** New files get the first suffix of the dialect. */
  readonly suffixes: readonly FileSuffix[];
  readonly classFor: (settings: ScriptSettings) => ScriptClass;
  /** Whether a meta file may set another RunContext. */
  readonly takesAnyRunContext?: true;
}

function scriptKind({ name, syncRuleNames, suffixes, classFor, takesAnyRunContext }: ScriptKindOptions): FileKind {
  const read: ReadContent = async (pass, path, settings) => {
    const found = await readText(pass, path);
    if (found === 'broken' || found === undefined) return found;
    if (pass.slice.isUsedUp()) await pass.slice.waitForNextTurn();
    const { className, runContext } = classFor(settings);
    const kept = pass.texts.store(sourceOf(found.text));
    return { className, properties: new ScriptProperties(kept, runContext && RUN_CONTEXT[runContext]), text: source };
  };
  return {
    name,
    syncRuleNames,
    suffixes,
    content: 'script',
    read: contentFile(read),
    readInit: read,
    create(instance, settings) {
      const { className, runContext } = classFor(settings);
      const newSuffix = suffixes.find(({ dialect }) => dialect === undefined || dialect === settings.dialect);
      const taken = instance.className === className && newSuffix ? takeText(instance, 'Source') : undefined;
      if (newSuffix === undefined || taken === undefined) return undefined;
      const { text, values } = taken;
      const given = values.get('RunContext');
      const wanted = given?.type === 'Enum' ? given.value : RUN_CONTEXT.Legacy;
      const isExact = className !== 'Script' || wanted === RUN_CONTEXT[runContext ?? 'Legacy'];
      if (!isExact && !takesAnyRunContext) return undefined;
      values.delete('RunContext');
      if (!isExact) values.set('RunContext', { type: 'Enum', value: wanted });
      return { suffix: newSuffix.suffix, text, values };
    },
  };
}

const emitsLegacy = ({ dialect, emitLegacyScripts }: ScriptSettings): boolean =>
  dialect === 'rojo' && emitLegacyScripts;

const moduleScript = scriptKind({
  name: 'moduleScript',
  syncRuleNames: ['moduleScript'],
  suffixes: [
    { suffix: '.luau', keepsBareName: true, initOrder: { rojo: 0, atlas: 0 } },
    { suffix: '.lua', keepsBareName: true, initOrder: { rojo: 1, atlas: 7 } },
  ],
  classFor: () => ({ className: 'ModuleScript' }),
});

const clientScript = scriptKind({
  name: 'clientScript',
  syncRuleNames: ['clientScript'],
  suffixes: [
    { suffix: '.client.luau', initOrder: { rojo: 4, atlas: 2 } },
    { suffix: '.client.lua', dialect: 'rojo', initOrder: { rojo: 5 } },
  ],
  classFor: settings =>
    emitsLegacy(settings) ? { className: 'LocalScript' } : { className: 'Script', runContext: 'Client' },
});

const pluginScript = scriptKind({
  name: 'pluginScript',
  syncRuleNames: ['pluginScript'],
  suffixes: [
    { suffix: '.plugin.luau', initOrder: { rojo: 7, atlas: 3 } },
    { suffix: '.plugin.lua', initOrder: { rojo: 6 } },
  ],
  classFor: () => ({ className: 'Script', runContext: 'Plugin' }),
});

const localScript = scriptKind({
  name: 'localScript',
  syncRuleNames: ['legacyClientScript', 'localScript'],
  suffixes: [
    { suffix: '.local.luau', dialect: 'atlas', initOrder: { atlas: 4 } },
    { suffix: '.client.lua', dialect: 'atlas', initOrder: { atlas: 9 } },
  ],
  classFor: () => ({ className: 'LocalScript' }),
});

const legacyScript = scriptKind({
  name: 'legacyScript',
  syncRuleNames: ['legacyServerScript', 'legacyScript'],
  suffixes: [
    { suffix: '.legacy.luau', dialect: 'atlas', initOrder: { atlas: 5 } },
    { suffix: '.server.lua', dialect: 'atlas', initOrder: { atlas: 8 } },
  ],
  classFor: () => ({ className: 'Script', runContext: 'Legacy' }),
});

const runContextServerScript = scriptKind({
  name: 'runContextServerScript',
  syncRuleNames: ['runContextServerScript'],
  suffixes: [],
  classFor: () => ({ className: 'Script', runContext: 'Server' }),
});

const runContextClientScript = scriptKind({
  name: 'runContextClientScript',
  syncRuleNames: ['runContextClientScript'],
  suffixes: [],
  classFor: () => ({ className: 'Script', runContext: 'Client' }),
});

const serverScript = scriptKind({
  name: 'serverScript',
  syncRuleNames: ['serverScript'],
  suffixes: [
    { suffix: '.server.luau', initOrder: { rojo: 2, atlas: 1 } },
    { suffix: '.server.lua', dialect: 'rojo', initOrder: { rojo: 3 } },
  ],
  classFor: settings => ({ className: 'Script', runContext: emitsLegacy(settings) ? 'Legacy' : 'Server' }),
  takesAnyRunContext: true,
});

/** The server script is last: it is used for a Script whose RunContext has no specific suffix. */
export const scriptKinds: readonly FileKind[] = [
  moduleScript,
  clientScript,
  pluginScript,
  localScript,
  legacyScript,
  runContextServerScript,
  runContextClientScript,
  serverScript,
];
