import { closingText, type CommandSpec, globalOptions, listedOptions, usageLines } from '../table/command-spec.ts';
import { optionLabel } from '../table/help-text.ts';

/** The man page of `atlas-bridge`, in the language of roff. */
export function renderManPage(commands: readonly CommandSpec[], version: string): string {
  return `${[
    `.TH ATLAS-BRIDGE 1 "" "atlas-bridge ${version}"`,
    // A command that is hyphenated or justified could not be copied to a shell.
    '.nh',
    '.ad l',
    '.SH NAME',
    String.raw`atlas-bridge \- sync a Roblox repository with Roblox Studio`,
    '.SH SYNOPSIS',
    '.B atlas-bridge',
    String.raw`\fIcommand\fR [\fIoptions\fR]`,
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH OPTIONS',
    ...Object.entries(globalOptions).flatMap(([name, option]) => item(optionLabel(name, option), option.text)),
    ...item('-V, --version', 'Print the version'),
    '.SH ENVIRONMENT',
    ...item(
      'ATLAS_BRIDGE_LOG',
      'Level of the log on standard error (trace, debug, info, warn, error or off), also for one part of the program: watcher=debug',
    ),
    ...item('NO_COLOR', 'If set, messages are not colored'),
    '.SH EXIT STATUS',
    '0 success, 1 failure, 2 wrong usage, 3 the two sides of a comparison differ.',
  ].join('\n')}\n`;
}

const commandLines = (spec: CommandSpec): readonly string[] => [
  `.SS ${escaped(spec.name)}`,
  ...usageLines(spec).flatMap(line => [`.B ${escaped(`atlas-bridge ${line}`)}`, '.br']),
  '.PP',
  ...paragraphs(spec.description),
  ...(spec.arguments ?? []).flatMap(({ name, text }) => (text === undefined ? [] : item(`[${name}]`, text))),
  ...(spec.commands ?? []).flatMap(([call, text]) => item(call, text)),
  ...Object.entries(listedOptions(spec)).flatMap(([name, option]) => item(optionLabel(name, option), option.text)),
  '.PP',
  ...paragraphs(closingText(spec)),
];

const item = (label: string, text: string): readonly string[] => ['.TP', `.B ${escaped(label)}`, ...paragraphs(text)];

const paragraphs = (text: string): readonly string[] =>
  text.split('\n').flatMap((line, index) => [...(index === 0 ? [] : ['.br']), guarded(escaped(line))]);

/** A hyphen without a backslash is a typographic one, which cannot be copied to a shell. */
const escaped = (text: string): string => text.replaceAll('\\', String.raw`\e`).replaceAll('-', String.raw`\-`);

/** A line that starts with a dot or an apostrophe would be a request. */
const guarded = (line: string): string => (/^[.']/.test(line) ? String.raw`\&${line}` : line);
