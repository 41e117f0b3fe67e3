/** Formats every Luau file of the project with StyLua and the settings of `studio-plugin/stylua.toml`. `--check` only lists unformatted files and fails. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Config, formatCode, IndentType, LuaVersion, OutputVerification } from '@johnnymorganz/stylua';
import { parse } from 'smol-toml';
import * as z from 'zod';

const root = fileURLToPath(new URL('../', import.meta.url));
const settings = z
  .strictObject({ syntax: z.literal('Luau'), column_width: z.int().positive(), indent_type: z.literal('Tabs') })
  .parse(parse(readFileSync(`${root}studio-plugin/stylua.toml`, 'utf8')));

/** StyLua frees the configuration after formatting, so each file requires a new one. */
function createConfig(): Config {
  const config = Config.new();
  config.syntax = LuaVersion.Luau;
  config.indent_type = IndentType.Tabs;
  config.column_width = settings.column_width;
  return config;
}

const isCheck = argv.includes('--check');
const files = globSync('{studio-plugin,src,scripts,test,examples}/**/*.luau', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.generated.luau'],
});
const unformatted = files.toSorted().filter(file => {
  const text = readFileSync(root + file, 'utf8');
  const formatted = formatCode(text, createConfig(), undefined, OutputVerification.None);
  if (formatted !== text && !isCheck) writeFileSync(root + file, formatted);
  return formatted !== text;
});
for (const file of unformatted) console.log(isCheck ? `${file} is not formatted` : file);
if (isCheck) {
  console.log(`${files.length} Luau files, ${unformatted.length} not formatted`);
  exit(unformatted.length === 0 ? 0 : 1);
}
