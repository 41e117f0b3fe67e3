import {
  closingText,
  type CommandSpec,
  globalOptions,
  listedOptions,
  type OptionSpec,
  usageLines,
} from './command-spec.ts';

const MAX_COLUMNS = 120;

/** The text of `atlas-bridge <command> --help`. */
export function helpText(spec: CommandSpec): string {
  const args = (spec.arguments ?? []).flatMap(({ name, isRequired, text }) =>
    text === undefined ? [] : [[isRequired === true ? `<${name}>` : `[${name}]`, text] as const],
  );
  const options = Object.entries(listedOptions(spec)).map(
    ([name, option]) => [optionLabel(name, option), option.text] as const,
  );
  const { commands = [] } = spec;
  const width = widthOf([...args, ...commands, ...options]);
  const [first = '', ...more] = usageLines(spec);
  return [
    [`Usage: atlas-bridge ${first}`, ...more.map(line => `       atlas-bridge ${line}`)].join('\n'),
    wrap(spec.description, MAX_COLUMNS).join('\n'),
    ...(args.length === 0 ? [] : [section('Arguments', args, width)]),
    ...(commands.length === 0 ? [] : [section('Commands', commands, width)]),
    section('Options', options, width),
    wrap(closingText(spec), MAX_COLUMNS).join('\n'),
  ].join('\n\n');
}

/** The text of `atlas-bridge --help`. */
export function overview(commands: readonly CommandSpec[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  const options = [
    ...Object.entries(globalOptions).map(([name, option]) => [optionLabel(name, option), option.text] as const),
    ['-V, --version', 'Print the version'] as const,
  ];
  const width = widthOf([...rows, ...options]);
  return [
    'Usage: atlas-bridge <command> [options]',
    section('Commands', rows, width),
    section('Options', options, width),
    wrap(
      `'atlas-bridge <command> --help' lists the options of a command. The log is written to standard error; ATLAS_BRIDGE_LOG sets its level (trace, debug, info, warn, error or off), also for one part of the program: watcher=debug.\n${closingText({})}`,
      MAX_COLUMNS,
    ).join('\n'),
  ].join('\n\n');
}

type Row = readonly [label: string, text: string];

export const optionLabel = (name: string, { short, value }: OptionSpec): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;

const widthOf = (rows: readonly Row[]): number => Math.max(...rows.map(([label]) => label.length)) + 4;

function section(title: string, rows: readonly Row[], width: number): string {
  const lines = rows.flatMap(([label, text]) =>
    wrap(text, MAX_COLUMNS - width).map((line, index) => `${(index === 0 ? `  ${label}` : '').padEnd(width)}${line}`),
  );
  return [`${title}:`, ...lines].join('\n');
}

function wrap(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap(paragraph => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > columns) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
