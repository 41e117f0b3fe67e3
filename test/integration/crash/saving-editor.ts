/**
 * An editor in another process: for each line `<file> <text> <how> <delay>` on its input, it saves the text after the delay in microseconds,
 * then prints the text. Started by `save-while-written.test.ts`.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', line => {
  const [file = '', text = '', how = '', delay = ''] = line.split(' ');
  const until = performance.now() + Number(delay) / 1000;
  while (performance.now() < until);
  if (how === 'in-place') writeFileSync(file, text);
  else {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
  process.stdout.write(`${text}\n`);
});
process.stdout.write('ready\n');
