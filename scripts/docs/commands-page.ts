import { createNls, type Manifest, readManifest } from './manifest.ts';

const places: Readonly<Record<string, string>> = {
  'editor/title': 'title of the editor',
  'editor/context': "menu of a review's editor",
  'explorer/context': 'menu of a file in the Explorer',
  'editor/title/context': "menu of an editor's tab",
  'view/title': 'title of a view',
  'view/item/context': 'entry of a view',
};

function placesOf(command: string, { menus }: Manifest['contributes']): readonly string[] {
  const hidden = (menus['commandPalette'] ?? []).some(entry => entry.command === command && entry.when === 'false');
  const inMenus = Object.entries(menus).flatMap(([menu, entries]) =>
    menu !== 'commandPalette' && entries.some(entry => entry.command === command) ? [places[menu] ?? menu] : [],
  );
  return [...(hidden ? [] : ['command palette']), ...inMenus];
}

/** `docs/commands.md`. */
export function commandsPage(): string {
  const nls = createNls();
  const { contributes } = readManifest();
  const rows = contributes.commands.map(({ command, title, category }) => {
    const keys = (contributes.keybindings ?? []).flatMap(entry =>
      entry.command === command ? [`\`${entry.key}\``] : [],
    );
    const where = [...placesOf(command, contributes), ...keys].join(', ');
    return `| ${category}: ${nls(title)} | \`${command}\` | ${where} |`;
  });
  return `# Commands

Generated from \`package.json\` by \`scripts/generate-docs.ts\`. Run the script after a change; do not edit this page.

| Command | Id | Where |
|---|---|---|
${rows.join('\n')}
`;
}
