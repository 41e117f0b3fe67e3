/** A small process in the role of the extension host: plans syncbacks and prints how long each blocked it. */
import { runSyncbackProgram } from '../../../src/adapters/node/run-program.ts';
import { longestTurn, type Turn } from './longest-turn.ts';

const ROUNDS = 3;
const [cli = '', project = '', input = ''] = process.argv.slice(2);
const rounds: { readonly longest: Turn; readonly ms: number; readonly writing: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  let writing = 0;
  const { longest, ms } = await longestTurn(() =>
    runSyncbackProgram(cli, [project, '--input', input], new AbortController().signal, async plan => {
      writing = plan.writing.length;
      return false;
    }),
  );
  rounds.push({ longest, ms, writing });
}
console.log(JSON.stringify(rounds));
