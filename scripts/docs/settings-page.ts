import { type SettingDefinition, settingDefinitions } from '../../src/ports/settings.ts';
import { createNls, readManifest, type Setting } from './manifest.ts';

const scopes: Readonly<Record<string, string>> = {
  resource: 'user, workspace, folder',
  window: 'user, workspace',
  'machine-overridable': 'machine, workspace',
  machine: 'machine',
  application: 'user',
};

/** `docs/settings.md`. */
export function settingsPage(): string {
  const nls = createNls();
  const { properties } = readManifest().contributes.configuration;
  const sections = Object.entries(properties).toSorted(([, a], [, b]) => a.order - b.order);
  const section = ([name, setting]: [string, Setting]): string => {
    const { type, minimum, maximum } = setting;
    const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
    const values = (setting.enum ?? []).map(
      (value, index) => `- \`${value}\`: ${nls(setting.enumDescriptions?.[index] ?? '')}`,
    );
    return [
      `## ${name}`,
      nls(setting.markdownDescription),
      ...(values.length > 0 ? [values.join('\n')] : []),
      ...(protectsWork(name) ? ['A workspace can only make this setting stricter than yours.'] : []),
      `Default \`${JSON.stringify(setting.default)}\` · ${[type].flat().join(' or ')}${range} · set for: ${scopes[setting.scope] ?? setting.scope}`,
    ].join('\n\n');
  };
  return `# Settings

Generated from \`package.json\` by \`scripts/generate-docs.ts\`. Run the script after a change; do not edit this page. A workspace cannot change machine settings.

${sections.map(section).join('\n\n')}
`;
}

const protectsWork = (name: string): boolean =>
  Object.values<SettingDefinition>(settingDefinitions).some(
    ({ key, strictest }) => strictest !== undefined && `atlas.${key}` === name,
  );
